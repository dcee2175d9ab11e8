import type { Verdict } from '../../../contract/advice-kinds.ts'
import { day, hour } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { type KnownCosts, netOf } from '../../../estimates/costs.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { SeriesView } from '../../market/market-query/series.ts'
import { type CostBook, costsOfMachine } from '../costs/stored.ts'
import type { FiguresOf } from '../machines/own-figures.ts'
import type { ListedMachine, OwnMachines } from '../machines/own-machines.ts'
import { ranks } from '../machines/pooled/planner.ts'

interface AdvisedMarket {
  /** The name of its source; null: the first one, or the site's own market. */
  source: string | null
  series: SeriesView
  own: OwnMachines
  costs: CostBook
  figuresOf: FiguresOf
}

interface Keeping {
  site: Postgres
  /** Seconds between slots. */
  interval: number
  stop?: AbortSignal | undefined
}

/** Advice of a week ago whose outcome is due. */
interface DueAdvice {
  machine_id: number
  given_at: number
  basis: 'net' | 'gross'
  price: number
  advised: number
}

interface AdvisedMachine {
  machine: ListedMachine
  figures: OwnFigures
  costs: KnownCosts
}

/**
 * Keeps the advice on the prices of all own machines of a market, once a day, and the outcomes of the advice of a week before. Days on which no worker ran
 * are not made up for. Returns the number of accounts.
 */
export async function keepAdvice(market: AdvisedMarket, { site, interval, stop }: Keeping): Promise<number> {
  const what = market.source === null ? 'advice' : `advice ${market.source}`
  const { recorded_slot: slot } = await market.series.state()
  const today = floorTo(day, slot)
  await site.query('INSERT INTO alert_progress (what, slot) VALUES ($1, 0) ON CONFLICT DO NOTHING', [what])
  const read = 'SELECT slot::float8 AS slot FROM alert_progress WHERE what = $1'
  const { rows: progress } = await site.query<{ slot: number }>(read, [what])
  if (slot === 0 || (progress[0]?.slot ?? 0) >= today) return 0
  const { rows: accounts } = await site.query<{ account_id: number }>('advice/accounts', [market.source])
  for (const { account_id } of accounts) {
    if (stop?.aborted) return 0
    await keepOfAccount(market, { site, interval, account: account_id, slot })
  }
  await site.query('UPDATE alert_progress SET slot = $2 WHERE what = $1', [what, today])
  return accounts.length
}

async function keepOfAccount(
  market: AdvisedMarket,
  { site, interval, account, slot }: Keeping & { account: number; slot: number },
): Promise<void> {
  const { rows: due } = await site.query<DueAdvice>('advice/due', [account, market.source, slot])
  for await (const known of machinesOf(market, { account, interval })) {
    const advice = known.flatMap(adviceOf)
    if (advice.length > 0)
      await site.query('advice/keep', [account, market.source, slot, JSON.stringify(advice)])
    const byId = new Map(known.map((one) => [one.machine.id, one]))
    const outcomes = due.flatMap((one) => {
      const its = byId.get(one.machine_id)
      return its ? outcomeOf(one, its) : []
    })
    if (outcomes.length > 0)
      await site.query('advice/judge', [account, market.source, JSON.stringify(outcomes)])
  }
}

/** The machines of an account with their figures, in pages. */
async function* machinesOf(
  { series, own, costs: costBook, figuresOf }: AdvisedMarket,
  { account, interval }: { account: number; interval: number },
): AsyncGenerator<AdvisedMachine[]> {
  const costs = await costBook.read(account)
  for await (const { source, machines } of own.pages(account)) {
    const recorded = await series.recorded()
    const market = { state: await series.state(), slots: await series.slots() }
    const asked = { account, source, recorded, market, interval, costs, rank: ranks.daily }
    const figures = await figuresOf(machines, asked)
    yield machines.flatMap((machine) => {
      const its = figures.get(machine.id)
      return its ? [{ machine, figures: its, costs: costsOfMachine(costs, machine) }] : []
    })
  }
}

/** Verdicts whose advice is kept: each has a price to ask. */
const isKept = (verdict: Verdict): boolean => ['raise', 'lower', 'try'].includes(verdict)

function adviceOf(known: AdvisedMachine) {
  const { machine, figures } = known
  const { verdict, basis, price: advised, gain_per_day: gain } = figures.advice
  const before = perDay(known, basis)
  if (!isKept(verdict) || !gain || before === null) return []
  const claim = { gain: gain.value, gain_low: gain.low, gain_high: gain.high }
  return [{ machine_id: machine.id, verdict, basis, price: machine.price, advised, ...claim, before }]
}

function outcomeOf({ machine_id, given_at, basis, price, advised }: DueAdvice, known: AdvisedMachine) {
  const after = perDay(known, basis)
  if (after === null) return []
  const { timestamps, price: prices } = known.figures.price_history
  const later = prices[timestamps.findLastIndex((time) => time <= given_at + day)] ?? price
  const followed = (later - price) / (advised - price) >= 0.5
  return [{ machine_id, given_at, followed, after }]
}

/** Income of a day on the market in the last seven days; null: it was there for less than a day, or its costs are no longer known. */
function perDay({ machine, figures, costs }: AdvisedMachine, basis: 'net' | 'gross'): number | null {
  const seconds = figures.covered_seconds['7d']
  if (seconds < day) return null
  const onlineHours = seconds / hour
  const rentedGpuHours = (figures.occupancy_7d ?? 0) * machine.num_gpus * onlineHours
  if (figures.income_7d === null) return null
  const spent = { earned: figures.income_7d, rentedGpuHours, onlineHours, hours: onlineHours }
  const income = basis === 'net' ? netOf(machine.num_gpus, spent, costs) : spent.earned
  return income === null ? null : (income * day) / seconds
}
