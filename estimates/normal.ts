/** A normally distributed number from a generator of numbers in [0, 1) (Box–Muller). */
export const normal = (uniform: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
