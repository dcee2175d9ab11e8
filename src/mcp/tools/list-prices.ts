import { z } from 'zod'
import type { listPricesAnswer } from '../../../contract/list-prices.ts'
import { gpuNames, isoOf, pathOf, type Tool } from '../tool.ts'

const most = 20
const input = z.object({ gpu_name: gpuNames(most) })

export const listPrices: Tool<typeof input> = {
  name: 'list_prices',
  title: 'Prices of clouds',
  description:
    'Prices of GPU types in clouds: the cheapest offer of each provider, on demand and spot. A list price has no quantity of GPUs.',
  input,
  path: ({ gpu_name }) => pathOf('/api/v0/metrics/gpu/list-prices', { gpu_name }),
  summarize: ({ gpus, catalogs }: z.output<typeof listPricesAnswer>) => ({
    figures: ['list_price'],
    data: {
      gpus: Object.fromEntries(
        Object.entries(gpus).map(([name, { cheapest }]) => [
          name,
          cheapest
            .filter(({ is_current }) => is_current)
            .map(({ provider, spot, price, region, instance_name, as_of }) => ({
              provider,
              spot,
              list_price: price,
              region,
              instance_name,
              as_of: isoOf(as_of),
            })),
        ]),
      ),
    },
    note: catalogs.some(({ is_current }) => is_current)
      ? undefined
      : 'The site has read no catalog of clouds in the last two days.',
  }),
}
