import { hour } from '../../contract/durations.ts'
import type { MarketEvent } from '../../contract/events.ts'
import { normalName } from '../../contract/gpu-names.ts'
import { floorTo } from '../../contract/ladder.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { ClickHouse } from '../../platform/stores/clickhouse.ts'
import { selectKind } from '../market/events/select-kind.ts'
import { everything } from '../market/market-query/select.ts'
import type { RuleMarket } from '../rules/markets.ts'
import type { Condition, Rule } from './rule.ts'
import type { Range, Slot, SlotFigures } from './slot-figures.ts'

/** The most events of one kind, after one snapshot or in the range of a trial. */
const mostEvents = 1000

type EventFilter = Pick<Condition<'event'>, 'event' | 'verified' | 'gpu_memory'>

/** The events that became known after `previous`, up to `slot`, for all rules on events. */
export async function readEvents(
  { clickhouse, series }: Pick<RuleMarket, 'clickhouse' | 'series'>,
  { slot, previous, interval }: Slot,
  rules: readonly Rule[],
): Promise<SlotFigures['eventsOf']> {
  const asked = rules.flatMap(({ condition }) => (condition.kind === 'event' ? [condition] : []))
  if (asked.length === 0) return () => []
  const all = await series.names()
  const range = { from: previous + 1, to: slot + 1 }
  const found = await Promise.all(
    [...groupBy(asked, keyOf)].map(async ([key, [first, ...others]]) => {
      if (!first) return [key, []] as const
      const wanted = new Set([first, ...others].map(({ gpu_name }) => plain(gpu_name)))
      const names = all.map(({ name }) => name).filter((name) => wanted.has(plain(name)))
      return [key, await selectEvents(clickhouse, { ...first, names, interval }, range)] as const
    }),
  )
  const events = new Map<string, readonly MarketEvent[]>(found)
  return (condition) => {
    const name = plain(condition.gpu_name)
    return (events.get(keyOf(condition)) ?? []).filter(({ gpu_name }) => plain(gpu_name) === name)
  }
}

const plain = (name: string): string => normalName(name).toLowerCase()
const keyOf = ({ event, verified, gpu_memory }: EventFilter): string => `${event} ${verified} ${gpu_memory}`

/** The time at which an event is known: for a low of an hour, the end of the hour. */
export const knownAt = ({ kind, at }: MarketEvent): number => (kind === 'low_90d' ? at + hour : at)

/** Events of one kind that became known in [from, to). */
export async function selectEvents(
  clickhouse: ClickHouse,
  {
    event,
    verified,
    gpu_memory,
    names,
    interval,
  }: EventFilter & { names: readonly string[]; interval: number },
  { from, to }: Range,
): Promise<MarketEvent[]> {
  const range =
    event === 'low_90d' ? { from: floorTo(hour, from - 1), to: floorTo(hour, to - 1) } : { from, to }
  if (range.to <= range.from || names.length === 0) return []
  const asked = { names, ...everything, verified, gpu_memory, interval, ...range }
  return selectKind(clickhouse, event, asked, { limit: mostEvents })
}
