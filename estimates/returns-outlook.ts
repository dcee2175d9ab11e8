import type { WithInterval } from '../contract/returns.ts'
import { studentT } from './returns.ts'

/** A class in a month of 30 days: machines, mean income, and the variance of the mean over machines ÷ its square. */
export interface ClassMonth {
  machines: number
  income: number
  spread: number
}

/** Movement of incomes of classes from one month to the next: variance of ln = kept × spread of both months + drift. */
export interface Movement {
  /** The share of the variance over machines that comes again, since most machines stay. */
  kept: number
  /** Variance that all classes have: prices and demand change. */
  drift: number
}

/** The fewest changes from which movement is estimated. */
const fewestChanges = 20
const fewestMachines = 5

const keptValues = Array.from({ length: 31 }, (_, index) => index / 20)
const driftValues = [0, ...Array.from({ length: 40 }, (_, index) => 0.0002 * 1.15 ** index)]

/** The movement that makes past changes most likely, each of a normal distribution; null: too few. Months of a class are in order. */
export function movementOf(classes: readonly (readonly (ClassMonth | null)[])[]): Movement | null {
  const changes = classes.flatMap((months) =>
    months.slice(1).flatMap((month, index) => {
      const before = months[index]
      if (!before || !month || !isThick(before) || !isThick(month)) return []
      return [{ square: Math.log(month.income / before.income) ** 2, spread: before.spread + month.spread }]
    }),
  )
  if (changes.length < fewestChanges) return null
  let [best, found] = [Number.POSITIVE_INFINITY, { kept: 1, drift: 0 }]
  for (const kept of keptValues)
    for (const drift of driftValues) {
      let loss = 0
      for (const { square, spread } of changes) {
        const variance = kept * spread + drift + 1e-6
        loss += Math.log(variance) + square / variance
      }
      if (loss < best) [best, found] = [loss, { kept, drift }]
    }
  return found
}

const isThick = ({ machines, income }: ClassMonth): boolean => machines >= fewestMachines && income > 0

/** The mean income per GPU and day in the next 30 days: the income of the last 30, with an interval (95 %) for its change. */
export function outlookOf(month: ClassMonth, { kept, drift }: Movement): WithInterval {
  const error = studentT(month.machines - 1) * Math.sqrt(2 * kept * month.spread + drift)
  const value = 24 * month.income
  return { value, low: value * Math.exp(-error), high: value * Math.exp(error) }
}

/** The variance of a class's mean income over machines ÷ its square, from sums over machines. */
export function monthOf(sums: {
  machines: number
  paid: number
  hours: number
  squares: number
  products: number
  sizes: number
}): ClassMonth | null {
  const { machines, paid, hours, squares, products, sizes } = sums
  if (machines < 2 || hours <= 0 || paid <= 0) return null
  const income = paid / hours
  const residuals = Math.max(0, squares - 2 * income * products + income * income * sizes)
  return { machines, income, spread: ((machines / (machines - 1)) * residuals) / paid ** 2 }
}
