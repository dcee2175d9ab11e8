import { at, choleskyOf, solved } from '../estimates/pooled/matrix.ts'
import { rates } from '../simulate/market.ts'

/** Rentals a day of a free machine for which the chain is solved, as ln, and their number. */
const [least, most, points] = [Math.log(0.02), Math.log(14), 60]

const curves = new Map<number, Float64Array>()

/** The exact long-run occupancy of a simulated rig that is rented at a rate: a Markov chain of the sizes of its contracts. */
export function trueOccupancy(gpus: number, rate: number): number {
  const curve = curves.get(gpus) ?? curveOf(gpus)
  curves.set(gpus, curve)
  const place = ((Math.log(Math.max(rate, 0.021)) - least) / (most - least)) * (points - 1)
  const below = Math.min(points - 2, Math.max(0, Math.floor(place)))
  const way = Math.min(1, place - below)
  return (1 - way) * at(curve, below) + way * at(curve, below + 1)
}

function curveOf(gpus: number): Float64Array {
  const states = partitionsUpTo(gpus)
  const index = new Map(states.map((state, place) => [state.join(), place]))
  const placeOf = (state: readonly number[]) => index.get(state.toSorted((a, b) => b - a).join()) ?? 0
  const jumps = states.flatMap((state, from) => {
    const free = gpus - state.reduce((sum, one) => sum + one, 0)
    const begins = [...wishesOf(free)].map(([size, chance]) => ({
      from,
      to: placeOf([...state, size]),
      up: chance,
      down: 0,
    }))
    const ends = state.map((_, ended) => ({
      from,
      to: placeOf(state.filter((_, other) => other !== ended)),
      up: 0,
      down: rates.end,
    }))
    return [...begins, ...ends]
  })
  const held = Float64Array.from(states, (state) => state.reduce((sum, one) => sum + one, 0) / gpus)
  return Float64Array.from({ length: points }, (_, point) => {
    const rate = Math.exp(least + ((most - least) * point) / (points - 1))
    const shares = balanceOf(
      states.length,
      jumps.map(({ from, to, up, down }) => ({ from, to, rate: rate * up + down })),
    )
    return shares.reduce((sum, share, state) => sum + share * at(held, state), 0)
  })
}

/** All multisets of contract sizes on some GPUs. */
function partitionsUpTo(gpus: number, largest = gpus): number[][] {
  const found: number[][] = [[]]
  for (let size = Math.min(gpus, largest); size > 0; size -= 1)
    for (const rest of partitionsUpTo(gpus - size, size)) found.push([size, ...rest])
  return found
}

/** Sizes of the next contract on some free GPUs, with their chances, as startRental draws them. */
function wishesOf(free: number): Map<number, number> {
  const wishes = new Map<number, number>()
  if (free === 0) return wishes
  wishes.set(free, 0.6)
  const powers = Math.log2(free + 1)
  for (let power = 0; power < powers; power += 1)
    wishes.set(
      2 ** power,
      (wishes.get(2 ** power) ?? 0) + (0.4 * (Math.min(powers, power + 1) - power)) / powers,
    )
  return wishes
}

/** The stationary distribution of a chain: least squares on its balance equations and on a sum of 1. */
function balanceOf(size: number, jumps: readonly { from: number; to: number; rate: number }[]): Float64Array {
  const flows = Array.from({ length: size + 1 }, () => new Float64Array(size))
  for (const { from, to, rate } of jumps) {
    const [leaving, arriving] = [flows[from], flows[to]]
    if (leaving) leaving[from] = at(leaving, from) - rate
    if (arriving) arriving[from] = at(arriving, from) + rate
  }
  flows[size]?.fill(1)
  const matrix = new Float64Array(size * size)
  for (const row of flows)
    for (let one = 0; one < size; one += 1)
      for (let other = 0; other < size; other += 1) {
        const cell = one * size + other
        matrix[cell] = at(matrix, cell) + at(row, one) * at(row, other)
      }
  return solved(choleskyOf(matrix, size), new Float64Array(size).fill(1))
}
