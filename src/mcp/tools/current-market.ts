import { z } from 'zod'
import type { currentAnswer } from '../../../contract/current.ts'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { sameName } from '../../../contract/gpu-names.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { gpuNames, pathOf, type Tool } from '../tool.ts'

const most = 20
const figures = [
  ...(['total', 'total_gpus', 'available_gpus', 'usage', 'usage_30d', 'price_p10', 'price_p25'] as const),
  ...(['price_median', 'price_p75', 'price_p90', 'price_change_7d', 'rented_p10', 'rented_median'] as const),
  ...(['rented_p90', 'tflops', 'dlperf', 'tflops_per_dollar', 'dlperf_per_dollar'] as const),
]
const input = z.object({ ...toolFilter, gpu_name: gpuNames(most).optional() })

export const currentMarket: Tool<typeof input> = {
  name: 'current_market',
  title: 'GPU market now',
  description: `Supply, occupancy and prices of GPU types in the newest snapshot: the requested types, else the ${most} with most GPUs. Types with fewer than 10 GPUs are not listed.`,
  input,
  path: (asked) => pathOf('/api/v0/metrics/gpu/current', filterParameters(asked)),
  summarize: ({ gpus }: z.output<typeof currentAnswer>, { gpu_name: names }) => {
    const found = names ? gpus.filter(({ gpu_name }) => names.some((name) => sameName(name, gpu_name))) : gpus
    const rows = found.slice(0, most).map((gpu) => ({
      gpu_name: gpu.gpu_name,
      ...Object.fromEntries(figures.map((name) => [name, gpu[name]])),
    }))
    const note = found.length > most ? `${found.length - most} more. Request them by name.` : undefined
    return { figures, data: { gpus: rows }, note }
  },
}
