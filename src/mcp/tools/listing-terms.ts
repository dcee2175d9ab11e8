import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { sameName } from '../../../contract/gpu-names.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import type { termsAnswer } from '../../../contract/terms.ts'
import { gpuNames, pathOf, type Tool } from '../tool.ts'

const most = 20
const input = z.object({ ...toolFilter, gpu_name: gpuNames(most).optional() })

export const listingTerms: Tool<typeof input> = {
  name: 'listing_terms',
  title: 'Terms of listings now',
  description: `Percentiles of the terms of listings over the machines of each GPU type in the newest snapshot: minimum bid, end, discount, reliability, and the prices of storage and traffic. The requested types, else the ${most} types with most machines.`,
  input,
  path: (asked) => pathOf('/api/v0/metrics/gpu/terms', filterParameters(asked)),
  summarize: ({ gpus }: z.output<typeof termsAnswer>, { gpu_name: names }) => {
    const found = Object.entries(gpus)
      .filter(([name]) => !names || names.some((asked) => sameName(asked, name)))
      .sort(([, one], [, other]) => other.machines - one.machines)
      .map(([gpu_name, terms]) => ({ gpu_name, ...terms }))
    return {
      figures: ['terms'],
      data: { gpus: found.slice(0, most) },
      note: found.length > most ? `${found.length - most} more. Request them by name.` : undefined,
    }
  },
}
