import { earned } from '../format.ts'

/** Both ends of a gain, USD: "$1.20 to $5.10 more", "between $1.34 less and $15.30 more". */
export function gainRange({ low, high }: { low: number; high: number }): string {
  const isLoss = (value: number) => value <= -0.005
  if (isLoss(high)) return `${earned(-high)} to ${earned(-low)} less`
  if (isLoss(low)) return `between ${earned(-low)} less and ${earned(high)} more`
  return `${earned(Math.max(0, low))} to ${earned(Math.max(0, high))} more`
}
