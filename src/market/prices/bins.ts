/** Bins of equal width. Prices are in billionths of a dollar, as integers. */
export interface Bins {
  low: number
  width: number
  count: number
}

/** A tenth of a cent. */
const finest = 1_000_000

/** The finest bins of a round width (1, 2 or 5 times a power of ten) that cover two prices with at most `most` bins. */
export function binsFor([lowest, highest]: readonly [number, number], most: number): Bins {
  for (let power = finest; ; power *= 10)
    for (const width of [power, 2 * power, 5 * power]) {
      const first = Math.floor(lowest / width)
      const count = Math.floor(highest / width) - first + 1
      if (count <= most) return { low: first * width, width, count }
    }
}

/** The edges of bins in dollars, one more than there are bins. */
export const edgesOf = ({ low, width, count }: Bins): number[] =>
  Array.from({ length: count + 1 }, (_, index) => (low + index * width) / 1e9)
