import { max } from 'simple-statistics'
import { type KnownCosts, marginOf } from '../estimates/costs.ts'
import { adviseOnPrice, type MachineFit } from '../estimates/pooled/advise.ts'
import type { CountedMachine } from '../estimates/pooled/counts.ts'
import { fitMarket, openFit } from '../estimates/pooled/market.ts'
import { bookDays } from '../estimates/pooled/product.ts'
import { inOneGo } from '../estimates/pooled/steps.ts'
import type { SimulatedMachine, SimulatedMarket } from '../simulate/market.ts'
import { seeded, seededFor } from '../simulate/random.ts'
import { classOf } from './simulated-flows.ts'
import { slotsBetween, watchMarket } from './watch-market.ts'

const day = 86_400
/** Days of counts that a fit reads. */
const recent = 10

/** A machine whose host asks for advice. */
export interface Priced {
  machine: SimulatedMachine
  costs: KnownCosts
  price: number
}

/** The host's view of a simulated market, and the advice from it. */
export function watchBooks(market: SimulatedMarket, interval: number) {
  const watch = watchMarket(interval)
  let [begin, now] = [0, 0]
  let fitOf: (machine: CountedMachine) => MachineFit | null = () => null
  return {
    /** Looks at the market at a slot. */
    look(slot: number): void {
      watch.look(market, slot)
      if (begin === 0) begin = slot
      now = slot
    },
    /** Fits the counts until now. */
    learn(): void {
      const days = (now - begin) / day
      const slots = slotsBetween(Math.max(begin, now - bookDays * day), now, interval)
      const counts = {
        ...watch.since(Math.max(begin, now - recent * day)),
        days,
        books: watch.booksAt(slots, Math.min(bookDays, days)),
        newest: watch.lookAt(market).map(({ counted, ...one }) => ({ ...counted, ...one })),
      }
      const { fit, products } = inOneGo(fitMarket(counts, seeded(5)))
      const find = openFit(fit, (of) => seededFor(1, of))
      fitOf = (machine) => find(machine, products)
    },
    recommended({ machine, price, costs }: Priced): number | null {
      const fit = machine.online ? fitOf({ ...classOf(machine), id: machine.id }) : null
      const margin = marginOf(costs, machine.numGpus)
      return fit && adviseOnPrice({ id: machine.id, price }, fit, margin).decision.price
    },
    /** The other machines of its GPU name with an offer. Each counts as another host. */
    others(machine: SimulatedMachine) {
      const isOther = ({ id, type, online, free }: SimulatedMachine) =>
        type === machine.type && online && free > 0 && id !== machine.id
      const prices = market.machines.filter(isOther).map(({ price }) => price)
      const crowd = { machines: prices.length, hosts: prices.length }
      return { ...crowd, dearest: prices.length === 0 ? null : max(prices) }
    },
  }
}
