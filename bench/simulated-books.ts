import type { KnownCosts } from '../estimates/costs.ts'
import { type Ask, bookOfOthers } from '../estimates/income-curve.ts'
import { decide } from '../estimates/price-advice.ts'
import { groupBy } from '../platform/group-by.ts'
import type { SimulatedMachine, SimulatedMarket } from '../simulate/market.ts'
import { offerOf } from '../src/hosts/machines/advice.ts'
import type { ClassFlow } from '../src/hosts/machines/compared.ts'
import { rateMarket } from '../src/hosts/machines/market-rates.ts'
import { type NameRates, rateName } from '../src/hosts/machines/pooled-rates.ts'
import { classOf } from './simulated-flows.ts'

const bookHours = 7 * 24

/** A machine whose host asks for advice. */
export interface Priced {
  machine: SimulatedMachine
  costs: KnownCosts
  price: number
  /** Its offers by the hour. */
  offered: Ask[]
}

/** The host's view of a simulated market: the mean book of the last days, and the advice from it. */
export function watchBooks(market: SimulatedMarket) {
  let names = new Map<string, { flows: readonly ClassFlow[]; name: NameRates }>()
  const books = new Map<string, Map<number, number>>()
  const hours: { name: string; price: number; gpus: number }[][] = []
  let sorted = new Map<string, Ask[]>()
  const count = (name: string, price: number, gpus: number) => {
    const book = books.get(name) ?? new Map<number, number>()
    books.set(name, book)
    book.set(price, (book.get(price) ?? 0) + gpus)
  }
  return {
    learn(flows: readonly ClassFlow[]): void {
      const rates = rateMarket(flows)
      names = new Map(
        [...groupBy(flows, (row) => row.gpu_name)].map(([name, rows]) => [
          name,
          { flows: rows, name: rateName(rows, rates) },
        ]),
      )
    },
    /** Adds the book of an hour to the mean of the last days. */
    look(own: readonly Priced[]): void {
      const now = market.machines
        .filter(({ online, free }) => online && free > 0)
        .map(({ type, price, free: gpus }) => ({ name: type.name, price, gpus }))
      for (const { name, price, gpus } of now) count(name, price, gpus)
      hours.push(now)
      sorted = new Map()
      if (hours.length > bookHours)
        for (const { name, price, gpus } of hours.shift() ?? []) count(name, price, -gpus)
      for (const { machine, price, offered } of own) {
        offered.push({ price, gpus: machine.online ? machine.free : 0 })
        if (offered.length > bookHours) offered.shift()
      }
    },
    recommended({ machine, price, costs, offered }: Priced): number | null {
      const of = names.get(machine.type.name)
      if (!of || !machine.online) return null
      const book = sorted.get(machine.type.name) ?? asksOf(books.get(machine.type.name) ?? [], hours.length)
      sorted.set(machine.type.name, book)
      const own = new Map<number, number>()
      for (const ask of offered) own.set(ask.price, (own.get(ask.price) ?? 0) + ask.gpus)
      const ownAsks = asksOf(own, hours.length)
      const known = { ...of, book: bookOfOthers(book, ownAsks), costs, offered: ownAsks }
      const { offer } = offerOf({ ...classOf(machine), price }, known)
      return decide(price, offer).price
    },
    /** The other machines of its GPU name with an offer. Each counts as another host. */
    others(machine: SimulatedMachine) {
      const isOther = ({ id, type, online, free }: SimulatedMachine) =>
        type === machine.type && online && free > 0 && id !== machine.id
      const machines = market.machines.filter(isOther).length
      return { machines, hosts: machines }
    },
  }
}

/** The mean of some hours, cheapest first. */
const asksOf = (sums: Iterable<[number, number]>, hours: number): Ask[] =>
  [...sums]
    .filter(([, gpus]) => gpus > 0)
    .map(([price, gpus]) => ({ price, gpus: gpus / hours }))
    .sort((one, other) => one.price - other.price)
