import type { ChangeCondition } from '../../contract/alert-conditions.ts'
import { hour } from '../../contract/durations.ts'
import { normalName } from '../../contract/gpu-names.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { RuleMarket } from '../rules/markets.ts'
import { readListPrices } from './list-prices.ts'
import { selectMarket, selectWeekOfFills, sumFills } from './market-rows.ts'
import type { Rule } from './rule.ts'
import { keyOf, keysOf, type OlderFigures, type Slot, type SlotFigures, slotBefore } from './slot-figures.ts'

/**
 * The older figures that rules compare a slot with. For any number of rules, at most ten older slots are read, the slots of
 * `alertSpans`: the market of all of them with one statement, fill rates and list prices with one for each slot.
 */
export async function readOlder(
  market: RuleMarket,
  { slot, interval }: Pick<Slot, 'slot' | 'interval'>,
  rules: readonly Rule[],
): Promise<SlotFigures['ago']> {
  const changes = rules.flatMap(({ condition }) => ('by' in condition ? [condition] : []))
  if (changes.length === 0) return () => undefined
  const slots = await market.series.slots()
  const spans = [...groupBy(changes, ({ within_hours }) => within_hours)].flatMap(([hours, conditions]) => {
    const older = slotBefore(slots, slot - hours * hour, interval)
    return older === undefined ? [] : [{ hours, older, conditions }]
  })
  const marketAt = await readMarkets(market, spans)
  const figures = await Promise.all(
    spans.map(async ({ hours, older, conditions }): Promise<[number, OlderFigures]> => {
      const of = (statistic: string) => conditions.filter((condition) => condition.statistic === statistic)
      const listed = of('list_price').map(({ gpu_name }) => gpu_name)
      const [fills, priceAt] = await Promise.all([
        of('fill_rate').length > 0 ? selectWeekOfFills(market.clickhouse, older) : [],
        readListPrices(market.site, listed, { from: older, to: older, interval }),
      ])
      const listPrice: OlderFigures['listPrice'] = (...of) => priceAt(older, ...of)
      return [hours, { market: (of) => marketAt(older, keyOf(of)), fillRate: sumFills(fills), listPrice }]
    }),
  )
  const byHours = new Map(figures)
  return (hours) => byHours.get(hours)
}

/** The market at the older slots, for the watched GPU names. */
async function readMarkets(
  market: RuleMarket,
  spans: readonly { older: number; conditions: readonly ChangeCondition[] }[],
) {
  const watched = spans
    .flatMap(({ conditions }) => conditions)
    .filter(({ statistic }) => statistic !== 'fill_rate' && statistic !== 'list_price')
  const wanted = new Set(watched.map(({ gpu_name }) => plain(gpu_name)))
  // Names in the spelling of the series. Rules may wait for names that it lacks.
  const names = (await market.series.names())
    .map(({ name }) => name)
    .filter((name) => wanted.has(plain(name)))
  if (names.length === 0) return () => undefined
  const slots = spans.map(({ older }) => older)
  const range = { from: Math.min(...slots), to: Math.max(...slots) + 1 }
  const rows = await selectMarket(market, range, { names, slots })
  const byKey = new Map(rows.flatMap((row) => keysOf(row).map((key) => [`${row.slot} ${key}`, row] as const)))
  return (slot: number, key: string) => byKey.get(`${slot} ${key}`)
}

const plain = (name: string): string => normalName(name).toLowerCase()
