import { mean, median } from 'simple-statistics'
import { soldMemory } from '../contract/gpu-memory.ts'
import type { Book, Books } from '../estimates/pooled/books.ts'
import {
  bands,
  type CellRow,
  type CountedMachine,
  productKey,
  type SnapshotRow,
} from '../estimates/pooled/counts.ts'
import { groupBy } from '../platform/group-by.ts'
import type { SimulatedMachine, SimulatedMarket } from '../simulate/market.ts'

const day = 86_400
const bookDays = 7

/** A machine at a slot. */
interface Looked {
  machine: SimulatedMachine
  counted: CountedMachine
  free: number
  rented: number
  price: number
  share: number
  dearness: number
}

interface SlotBooks {
  slot: number
  products: ReadonlyMap<string, Omit<Book, 'block' | 'weight'> & { median: number }>
}

/** Counts a simulated market as the SQL of advice.sql counts observations. */
export function watchMarket(interval: number) {
  const days = new Map<number, Map<string, CellRow>>()
  const firsts = new Map<number, SnapshotRow[]>()
  const books: SlotBooks[] = []
  let before: { slot: number; machines: ReadonlyMap<number, Looked> } | undefined

  function look(market: SimulatedMarket, slot: number): void {
    const now = lookAt(market)
    const byId = new Map(now.map((one) => [one.counted.id, one]))
    if (before) for (const one of before.machines.values()) count(one, byId.get(one.counted.id), before.slot)
    before = { slot, machines: byId }
    const today = Math.floor(slot / day)
    if (!firsts.has(today))
      firsts.set(
        today,
        now.map(({ counted, free, rented, share, dearness }) => ({
          ...counted,
          free,
          rented,
          share,
          dearness,
        })),
      )
    books.push({ slot, products: booksOf(now) })
    while ((books[0]?.slot ?? slot) < slot - bookDays * day) books.shift()
  }

  function count(one: Looked, next: Looked | undefined, slot: number): void {
    const today = days.get(Math.floor(slot / day)) ?? new Map<string, CellRow>()
    days.set(Math.floor(slot / day), today)
    const { counted, free, rented, share, dearness } = one
    const band = free === 0 ? bands : Math.min(bands - 1, Math.floor(bands * share))
    const key = `${counted.id} ${band}`
    const row = today.get(key) ?? noneOf(counted, band)
    today.set(key, row)
    const up = Math.min(free, Math.max(0, (next?.rented ?? 0) - rented))
    const exposed = free * interval
    const angle = (2 * Math.PI * (slot % day)) / day
    row.exposed_seconds += exposed
    row.share += exposed * share
    row.dearness += exposed * dearness
    row.cosine += exposed * Math.cos(angle)
    row.sine += exposed * Math.sin(angle)
    row.weekend += ((Math.floor(slot / day) + 4) % 7) % 6 === 0 ? exposed : 0
    row.rented_gpus += up
    row.rented_squares += up ** 2
    row.held_seconds += rented * interval
    row.returned_gpus += Math.max(0, rented - (next?.rented ?? 0))
  }

  return {
    look,
    /** Lets no pair of slots reach across a gap. */
    forget(): void {
      before = undefined
    },
    /** Counts since the first slot of a day. */
    since(from: number): { cells: CellRow[]; first: SnapshotRow[] } {
      const first = Math.floor(from / day)
      const cells = [...days].filter(([one]) => one >= first).flatMap(([, rows]) => [...rows.values()])
      return { cells, first: firsts.get(first) ?? [] }
    },
    /** The books at some slots, by product. Together they have the weight of some days of counts. */
    booksAt(slots: readonly number[], days: number): Map<string, Books> {
      const found = new Map<string, { books: Book[]; medians: number[] }>()
      for (const [index, slot] of slots.entries())
        for (const [key, { median, ...book }] of books.find((one) => one.slot === slot)?.products ?? []) {
          const of = found.get(key) ?? { books: [], medians: [] }
          found.set(key, of)
          of.books.push({
            ...book,
            block: Math.floor((index * 7) / slots.length),
            weight: days / slots.length,
          })
          of.medians.push(median)
        }
      return new Map([...found].map(([key, { books, medians }]) => [key, { books, median: mean(medians) }]))
    },
    lookAt,
  }
}

const noneOf = (counted: CountedMachine, band: number): CellRow => ({
  ...counted,
  band,
  exposed_seconds: 0,
  share: 0,
  dearness: 0,
  cosine: 0,
  sine: 0,
  weekend: 0,
  rented_gpus: 0,
  rented_squares: 0,
  held_seconds: 0,
  returned_gpus: 0,
})

/** All machines on the market, with their prices relative to their products. */
function lookAt({ machines }: SimulatedMarket): Looked[] {
  const seen = machines
    .filter(({ online, numGpus, free }) => online || free < numGpus)
    .map((machine): Looked => {
      const rented = machine.numGpus - machine.free
      const free = machine.online ? machine.free : 0
      const paid = machine.rentals.reduce((sum, { price, gpus }) => sum + price * gpus.length, 0)
      const price = free > 0 ? machine.price : paid / rented
      return { machine, counted: countedOf(machine), free, rented, price, share: 0, dearness: 0 }
    })
  for (const product of groupBy(seen, ({ counted }) => productKey(counted)).values()) placeIn(product)
  return seen
}

function placeIn(product: readonly Looked[]): void {
  const sorted = product.toSorted((one, other) => one.price - other.price)
  const middle = median(product.map(({ price }) => Math.log(price)))
  const all = product.reduce((sum, { free }) => sum + free, 0)
  let [below, sum, last] = [0, 0, 0]
  for (const one of sorted) {
    if (one.price !== last) [below, last] = [sum, one.price]
    sum += one.free
    one.share = below / Math.max(1, all + (one.free > 0 ? 0 : one.machine.numGpus))
    one.dearness = Math.log(one.price) - middle
  }
}

const countedOf = ({ id, type, numGpus, verification, secure }: SimulatedMachine): CountedMachine => ({
  id,
  gpu_name: type.name,
  gpu_memory: soldMemory(type.ram),
  num_gpus: numGpus,
  verified: verification === 'verified',
  hosting_type: secure ? 'secure_cloud' : 'community',
})

function booksOf(seen: readonly Looked[]): SlotBooks['products'] {
  return new Map(
    [...groupBy(seen, ({ counted }) => productKey(counted))].map(([key, of]) => {
      const free = of.filter((one) => one.free > 0).sort((one, other) => one.price - other.price)
      return [
        key,
        {
          prices: free.map(({ price }) => price),
          gpus: free.map((one) => one.free),
          machines: free.map(({ counted }) => counted.id),
          median: median(of.map(({ price }) => Math.log(price))),
        },
      ]
    }),
  )
}

/** The slots of 28 books in a range. */
export const slotsBetween = (from: number, to: number, interval: number): number[] =>
  Array.from(
    { length: 28 },
    (_, index) => from + Math.floor(((to - from) * index) / 27 / interval) * interval,
  )
