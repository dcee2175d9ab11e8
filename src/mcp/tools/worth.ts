import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import type { WorthAnswer } from '../../../contract/worth.ts'
import { pathOf, type Tool } from '../tool.ts'

const input = z.object({
  gpu_name: z
    .string()
    .max(64)
    .default('all')
    .describe('One GPU name, or all: machines are compared within their GPU name'),
  by: z.enum(['country', 'region']).default('country').describe('Places to compare'),
  ...toolFilter,
})

export const worth: Tool<typeof input> = {
  name: 'worth',
  title: 'Worth of specs, places and tiers',
  description:
    'Differences of machines with a spec, in a place or of a tier: in the price of rented GPUs, and in the rate of rentals at the same price, with simultaneous 95 % intervals. Only what differs from 0 is named. Observed, not caused.',
  input,
  path: ({ gpu_name, by, ...asked }) =>
    pathOf('/api/v0/metrics/gpu/worth', { ...filterParameters(asked), gpu_name, by }),
  summarize: ({ factors, machines, hosts, reason, days, to }: WorthAnswer) => {
    const named = factors.filter(({ price, fill }) => price.value !== null || fill.value !== null)
    return {
      figures: ['worth'],
      data: { to, days, machines, hosts, reason, factors: named },
      note:
        factors.length > named.length
          ? `${factors.length - named.length} more factors whose interval contains 0, or with too few machines.`
          : undefined,
    }
  },
}
