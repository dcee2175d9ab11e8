import { mean } from 'simple-statistics'
import { adviseOnPrice, type PooledAdvice } from '../estimates/pooled/advise.ts'
import { productKey } from '../estimates/pooled/counts.ts'
import { fitMarket, openFit } from '../estimates/pooled/market.ts'
import { bookDays } from '../estimates/pooled/product.ts'
import { inOneGo } from '../estimates/pooled/steps.ts'
import { openHistory, type SimulatedHistory } from '../simulate/history.ts'
import type { Renters } from '../simulate/market.ts'
import { seeded } from '../simulate/random.ts'
import { openTruth } from './advice-truth.ts'
import { type MarketKind, rentersOf } from './renters.ts'
import { slotsBetween, watchMarket } from './watch-market.ts'

const day = 86_400
const interval = 900
/** Days of counts that a fit reads, and days in which the market settles before they begin. */
const [recent, settling] = [10, 8]
const begin = 1_795_046_400
/** One machine in this many is advised: enough for shares of a hundredth in five markets. */
const every = 4

/** Advice on a machine beside the truth, USD a day. */
export interface Judged extends PooledAdvice {
  kind: MarketKind
  seed: number
  days: number
  /** True gain of the advised price, and of the best price within a step. */
  trueGain: number
  best: number
  trueIncome: number
}

interface Watched {
  history: SimulatedHistory
  watch: ReturnType<typeof watchMarket>
  renters: Renters
}

/** Advises machines of a simulated market at some ages of its record, in days. */
export async function adviseMarket(
  kind: MarketKind,
  { seed, size, ages }: { seed: number; size: number; ages: readonly number[] },
): Promise<Judged[]> {
  const past = (settling + Math.ceil(Math.max(...ages)) + 1) * day
  const history = openHistory({ seed, size, anchor: begin - settling * day + past, past, interval })
  const renters = rentersOf(kind, seed)
  history.market.renters = renters
  // The truth of the first hour is in books of a day, which a host has not seen.
  let slot = begin - day
  await history.leadTo(slot)
  const watch = watchMarket(interval)
  watch.look(history.market, slot)
  const found: Judged[] = []
  for (const days of ages) {
    const now = begin + Math.round((days * day) / interval) * interval
    while (slot < now) {
      history.next()
      slot += interval
      watch.look(history.market, slot)
    }
    for (const one of adviseAt({ history, watch, renters }, now)) found.push({ kind, seed, days, ...one })
  }
  return found
}

function adviseAt(
  { history, watch, renters }: Watched,
  now: number,
): Omit<Judged, 'kind' | 'seed' | 'days'>[] {
  const days = (now - begin) / day
  const from = now - Math.min(bookDays, Math.max(1, days)) * day
  const incomeOf = openTruth({ from, to: now, renters })
  const trueBooks = watch.booksAt(slotsBetween(Math.ceil((from + 1) / interval) * interval, now, interval), 1)
  const seen = watch.lookAt(history.market)
  const counts = {
    ...watch.since(Math.max(begin, now - recent * day)),
    days,
    books: watch.booksAt(
      slotsBetween(Math.max(begin, now - bookDays * day), now, interval),
      Math.min(bookDays, days),
    ),
    newest: seen.map(({ counted, ...one }) => ({ ...counted, ...one })),
  }
  const { fit, products } = inOneGo(fitMarket(counts, seeded(5)))
  const find = openFit(fit, () => seeded(1))
  return seen.flatMap(({ machine, counted }) => {
    const fit = find(counted, products)
    if (!machine.online || !fit || machine.id % every !== 0) return []
    const { price } = machine
    const advice = adviseOnPrice({ id: counted.id, price }, fit, null)
    const incomeAt = incomeOf(machine, trueBooks.get(productKey(counted))?.books ?? [])
    const trueIncome = incomeAt(price)
    const best = Math.max(...steps.map((share) => incomeAt(share * price)))
    const trueGain = incomeAt(advice.decision.price ?? price) - trueIncome
    return [{ ...advice, trueGain, best: best - trueIncome, trueIncome }]
  })
}

/** Prices within a step, as shares of the own one. */
const steps = [0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2]

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : mean([...values])
