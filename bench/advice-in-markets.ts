import { mean } from 'simple-statistics'
import { adviseOnPrice, bookDays, knownProduct, type PooledAdvice } from '../estimates/pooled/advise.ts'
import { type CountedMarket, machineKey, marketOf, productKey, rigOf } from '../estimates/pooled/counts.ts'
import { fitPooled } from '../estimates/pooled/fit.ts'
import { gpusAtOnce, termsOf } from '../estimates/pooled/terms.ts'
import { groupBy } from '../platform/group-by.ts'
import { openHistory, type SimulatedHistory } from '../simulate/history.ts'
import type { Renters } from '../simulate/market.ts'
import { seeded } from '../simulate/random.ts'
import { openTruth } from './advice-truth.ts'
import { type MarketKind, rentersOf } from './renters.ts'
import { watchMarket } from './watch-market.ts'

const day = 86_400
const interval = 900
/** Days of counts that a fit reads, and days in which the market settles before they begin. */
const [recent, settling] = [10, 8]
const begin = 1_795_046_400

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

/** Advises all machines of a simulated market at some ages of its record, in days. */
export async function adviseMarket(
  kind: MarketKind,
  { seed, size, ages }: { seed: number; size: number; ages: readonly number[] },
): Promise<Judged[]> {
  const past = (settling + Math.ceil(Math.max(...ages)) + 1) * day
  const history = openHistory({ seed, size, anchor: begin - settling * day + past, past, interval })
  const renters = rentersOf(kind, seed)
  history.market.renters = renters
  await history.leadTo(begin)
  const watch = watchMarket(interval)
  watch.look(history.market, begin)
  const found: Judged[] = []
  let slot = begin
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
  const { cells, snapshot } = watch.since(Math.max(begin, now - recent * day))
  const counted = marketOf(cells, snapshot)
  const fit = { ...fitPooled(termsOf(counted.market)), days }
  const contractsOf = contractsIn(counted)
  const uniform = seeded(5)
  const books = watch.booksAt(slotsBetween(Math.max(begin, now - bookDays * day), now))
  const from = now - Math.min(bookDays, Math.max(1, days)) * day
  const incomeOf = openTruth({ from, to: now, renters })
  const trueBooks = watch.booksAt(slotsBetween(from + interval, now))
  const products = groupBy(watch.lookAt(history.market), ({ counted }) => productKey(counted))
  return [...products].flatMap(([key, machines]) => {
    const product = counted.products.get(key) ?? 0
    const known = knownProduct(fit, {
      books: books.get(key) ?? { books: [], median: 0 },
      present: machines.map(({ counted, ...one }) => ({
        ...one,
        id: counted.id,
        rig: rigOf(counted, product),
      })),
      contracts: contractsOf.products.get(product) ?? 0,
      uniform,
    })
    return machines.flatMap(({ machine, counted: one }) => {
      if (!machine.online) return []
      const index = counted.machines.get(machineKey(one)) ?? -1
      const effect = fit.machines.get(index)
      const own = effect && { ...effect, contracts: contractsOf.machines.get(index) ?? 0 }
      const { price } = machine
      const advice = adviseOnPrice({ id: one.id, rig: rigOf(one, product), price }, known, {
        own,
        margin: null,
      })
      const incomeAt = incomeOf(machine, trueBooks.get(key)?.books ?? [])
      const trueIncome = incomeAt(price)
      return [
        {
          ...advice,
          trueGain: incomeAt(advice.decision.price ?? price) - trueIncome,
          best:
            Math.max(...[0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2].map((by) => incomeAt(by * price))) -
            trueIncome,
          trueIncome,
        },
      ]
    })
  })
}

/** Contracts by machine and by product, by index. */
function contractsIn({ market }: CountedMarket) {
  const machines = new Map<number, number>()
  const products = new Map<number, number>()
  for (const { machine, rentals } of market.flows) {
    const rig = market.machines[machine]
    if (!rig) continue
    const contracts = rentals / gpusAtOnce(rig.gpus, market.together)
    machines.set(machine, (machines.get(machine) ?? 0) + contracts)
    products.set(rig.product, (products.get(rig.product) ?? 0) + contracts)
  }
  return { machines, products }
}

/** Slots of 28 books in a range. */
const slotsBetween = (from: number, to: number): number[] =>
  Array.from(
    { length: 28 },
    (_, index) => Math.floor((from + ((to - from) * index) / 27) / interval) * interval,
  )

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : mean([...values])
