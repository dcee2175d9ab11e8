/** Draws numbers in [0, 1); the same seed draws the same. */
export type Random = () => number

/** The mulberry32 generator: 32 bits of state, plenty for a market that only has to look alive. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A generator for item `index`, with a random sequence of its own. */
export const seededFor = (seed: number, index: number): Random =>
  seeded(Math.imul(seed + 1, 0x85ebca6b) ^ Math.imul(index + 1, 0x9e3779b1))

/** An exponentially distributed number: the duration of a state that ends at a constant rate. */
export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random())

export const pick = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T
