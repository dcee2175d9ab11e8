import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import type { StartAnswer } from '../../../contract/start-price.ts'
import { gpuNames, pathOf, type Tool } from '../tool.ts'

const input = z.object({ gpu_name: gpuNames(1), ...toolFilter })

export const startPrice: Tool<typeof input> = {
  name: 'start_price',
  title: 'Price to begin with, of a new machine',
  description:
    'The price at which a new machine of a GPU type should begin, its income, the usual wait for the first rental, and the step down if it is still free after it. The account needs no such machine. num_gpus is the size of the rig, by default 1; verified=no suits a new machine.',
  input,
  path: ({ gpu_name: [name = ''], ...asked }) =>
    pathOf('/api/v0/metrics/machines/start', { gpu_name: name, ...filterParameters(asked) }),
  summarize: ({ success: _, slot: __, ...data }: StartAnswer) => ({ figures: ['start_price'], data }),
}
