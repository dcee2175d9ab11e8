import { groupBy } from '../../platform/group-by.ts'
import { memoryOf, type Seen } from './history.ts'

/** Where hosts see the price of a rented GPU: from `low` to `high`. */
export interface Bin {
  low: number
  high: number
}

/** A rented GPU, by its price. */
interface Rental {
  slot: number
  verified: boolean
  memory: number
  price: number
}

const top = 11
const hidden = top + 1
const nano = (price: number) => Math.round(price * 1e9)
const cellOf = (price: number, level: number) => Math.floor(nano(price) / (1e7 * 2 ** Math.min(level, top)))

interface Held {
  host: number
  price: number
  gpus: number
}

const holdsEnough = (held: readonly Held[]) =>
  new Set(held.map(({ host }) => host)).size >= 3 && held.reduce((sum, { gpus }) => sum + gpus, 0) >= 10

/** What is on the market of a GPU name and size of memory in a slot. */
const heldAt = (seen: readonly Seen[], gpu: string, { slot, verified, memory }: Rental): Held[] =>
  seen
    .filter(
      (one) => one.gpu === gpu && one.slot === slot && one.verified === verified && memoryOf(one) === memory,
    )
    .flatMap(({ host, early, free, price, rented }) =>
      [{ gpus: free, price }, ...rented].map((part) => ({ ...part, host: early ? 0 : (host ?? 0) })),
    )
    .filter(({ gpus }) => gpus > 0)

/** From the widest cell down: cells are split as long as every part that is not empty holds enough. */
function levelIn(held: readonly Held[], price: number): number {
  let inside = held.filter((one) => cellOf(one.price, top) === cellOf(price, top))
  if (inside.length === 0) return 0
  if (!holdsEnough(inside)) return hidden
  for (let level = top; level > 0; level -= 1) {
    const parts = groupBy(inside, (one) => cellOf(one.price, level - 1))
    if ([...parts.values()].some((part) => !holdsEnough(part))) return level
    inside = parts.get(cellOf(price, level - 1)) ?? []
    if (inside.length === 0) return 0
  }
  return 0
}

/**
 * The bin of each rental by the definition of docs/numbers.md; null: no price is shown. `stored`: seconds of the buckets whose bins an answer has,
 * an hour or more.
 */
export function binsOf(
  seen: readonly Seen[],
  gpu: string,
  rentals: readonly Rental[],
  stored: number,
): (Bin | null)[] {
  const alike = (one: Rental, other: Rental, step: number) =>
    one.verified === other.verified &&
    one.memory === other.memory &&
    Math.floor(one.slot / step) === Math.floor(other.slot / step)
  // Every slot of the market counts, not only those with rentals.
  const slots = [...new Set(seen.map(({ slot }) => slot))]
  const inHour = rentals.map((one) => {
    const within = slots.filter((slot) => alike(one, { ...one, slot }, 3600))
    return Math.max(...within.map((slot) => levelIn(heldAt(seen, gpu, { ...one, slot }), one.price)))
  })
  return rentals.map((one, index) => {
    const levels = rentals.flatMap((other, at) => {
      const level = inHour[at] ?? 0
      const holds = alike(one, other, stored) && cellOf(one.price, level) === cellOf(other.price, level)
      return holds ? [level] : []
    })
    const level = stored > 3600 ? Math.max(...levels) : (inHour[index] ?? 0)
    if (level === hidden || (level > 0 && cellOf(one.price, level) === 0)) return null
    const width = 1e7 * 2 ** level
    return {
      low: (cellOf(one.price, level) * width) / 1e9,
      high: ((cellOf(one.price, level) + 1) * width) / 1e9,
    }
  })
}
