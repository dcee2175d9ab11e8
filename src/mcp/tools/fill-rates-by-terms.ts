import { z } from 'zod'
import type { fillByTermsAnswer, GpuFillByTerms } from '../../../contract/fill-by-terms.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { gpuNames, pathOf, type Tool } from '../tool.ts'
import { fillRates, summarizeRate } from './fill-rates.ts'

const input = z.object({ ...fillRates.input.shape, gpu_name: gpuNames(1) })

export const fillRatesByTerms: Tool<typeof input> = {
  name: 'fill_rates_by_terms',
  title: 'GPU fill rates by terms of the listing',
  description:
    'Fill rates of available GPUs of one type, by the fewest GPUs that can be rented at once, by the days until the listing ended, and by the tier of the host. For "should I rent out single GPUs" and "should I list for longer". Observed together with these terms, not caused by them alone.',
  input,
  path: ({ gpu_name, start, end, ...asked }) =>
    pathOf('/api/v0/metrics/gpu/fill-by-terms', { gpu_name, ...filterParameters(asked), start, end }),
  summarize: ({ gpus }: z.output<typeof fillByTermsAnswer>) => ({
    figures: ['asked_price', 'rentals', 'fill_rate', 'hours_to_rent', 'expected_occupancy'],
    data: {
      gpus: Object.fromEntries(Object.entries(gpus).map(([name, fill]) => [name, summarizeTerms(fill)])),
    },
  }),
}

const summarizeTerms = ({ left_out, min_gpus, days_left, tiers }: GpuFillByTerms) => ({
  left_out,
  min_gpus: min_gpus.map(({ min_gpus, ...rate }) => ({ min_gpus, ...summarizeRate(rate) })),
  days_left: days_left.map(({ from_days, to_days, ...rate }) => ({
    from_days,
    to_days,
    ...summarizeRate(rate),
  })),
  tiers: tiers.map(({ tier, ...rate }) => ({ tier, ...summarizeRate(rate) })),
})
