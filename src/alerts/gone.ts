import { unitOf } from '../../contract/alert-kinds.ts'
import { normalName } from '../../contract/gpu-names.ts'
import type { SeriesView } from '../market/market-query/series.ts'
import type { Condition, Rule } from './rule.ts'
import type { Filter, MarketFigure, SlotFigures } from './slot-figures.ts'

const isCount = ({ statistic }: Condition<'statistic'>): boolean => unitOf(statistic) === 'gpus'

/** 0 if the slot has every machine of the market and none of them matches the rule; otherwise null. */
export function countOfNone(
  condition: Condition<'statistic'>,
  { market, sizesOf }: Pick<SlotFigures, 'market' | 'sizesOf'>,
): 0 | null {
  const sizes = isCount(condition) && !market(condition) ? sizesOf(condition.gpu_name) : undefined
  if (!sizes) return null
  const all = market({ ...condition, gpu_memory: 0 })
  if (!all) return 0
  // Machines whose size of memory is unknown may have the requested one.
  const known = sizes.reduce(
    (sum, size) => sum + (market({ ...condition, gpu_memory: size })?.total_gpus ?? 0),
    0,
  )
  return known === all.total_gpus ? 0 : null
}

const plain = (name: string): string => normalName(name).toLowerCase()

/** The sizes of memory of the GPU names that the series had by a slot. */
export async function readSizes(series: SeriesView): Promise<(slot: number) => SlotFigures['sizesOf']> {
  const names = new Map((await series.names()).map((one) => [plain(one.name), one]))
  return (slot) => (gpu_name) => {
    const known = names.get(plain(gpu_name))
    return known && known.first_seen <= slot ? known.memory : undefined
  }
}

/** True if a rule counts GPUs of which the slot has none. */
export const countsNone = (
  rules: readonly Pick<Rule, 'condition'>[],
  market: (of: Filter) => MarketFigure | undefined,
): boolean =>
  rules.some(({ condition }) => condition.kind === 'statistic' && isCount(condition) && !market(condition))
