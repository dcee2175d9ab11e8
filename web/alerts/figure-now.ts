import type { z } from 'zod'
import type { AlertStatistic } from '../../contract/alert-kinds.ts'
import type { CurrentGpu, currentAnswer } from '../../contract/current.ts'
import { useMarket } from '../api/queries.ts'
import type { Of } from './words.ts'

/** Figures that the newest snapshot tells, as the rules have them. */
const current: Partial<Record<AlertStatistic, (gpu: CurrentGpu) => number | null>> = {
  avail_median: (gpu) => gpu.price_median,
  avail_p10: (gpu) => gpu.price_p10,
  avail_p90: (gpu) => gpu.price_p90,
  rented_median: (gpu) => gpu.rented_median,
  rented_p10: (gpu) => gpu.rented_p10,
  rented_p90: (gpu) => gpu.rented_p90,
  occupancy: (gpu) => (gpu.usage === null ? null : gpu.usage / 100),
  available_gpus: (gpu) => gpu.available_gpus,
  total_gpus: (gpu) => gpu.total_gpus,
}

/** What the watched figure is at the newest snapshot of the market that is shown; undefined where it is not known. */
export function useFigureNow(condition: Of<'statistic'>): number | undefined {
  const { gpu_name, statistic, verified, hosting_type, num_gpus } = condition
  const read = current[statistic]
  const filters = { verified, hosting_type, num_gpus: num_gpus === 0 ? 'all' : num_gpus }
  const { data } = useMarket<z.infer<typeof currentAnswer>>('current', filters, read !== undefined)
  const gpu = data?.gpus.find((one) => one.gpu_name === gpu_name)
  return (gpu && read?.(gpu)) ?? undefined
}
