import { gammaln } from 'simple-statistics'

/** A beta distribution of a share between 0 and 1, with a mean and a variance. */
export interface BetaShare {
  mean: number
  variance: number
}

const tiny = 1e-300
const terms = 300
const halvings = 40

/** The value below which a share lies with the given probability. */
export function quantileOf({ mean, variance }: BetaShare, probability: number): number {
  const spread = mean * (1 - mean)
  if (variance <= 0 || spread <= 0) return mean
  // The variance of a share is below the variance of a share that is either 0 or 1.
  const size = Math.max(1e-3, spread / variance - 1)
  const [a, b] = [mean * size, (1 - mean) * size]
  let [low, high] = [0, 1]
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (low + high) / 2
    if (shareBelow(middle, a, b) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The regularised incomplete beta function (Numerical Recipes, 6.4: its continued fraction). */
export function shareBelow(x: number, a: number, b: number): number {
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log(1 - x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** Evaluation by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const apart = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let [c, d] = [1, 1 / apart(1 - ((a + b) * x) / (a + 1))]
  let found = d
  for (let m = 1; m <= terms; m += 1) {
    const steps = [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]
    for (const step of steps) {
      d = 1 / apart(1 + step * d)
      c = apart(1 + step / c)
      found *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-12) break
  }
  return found
}
