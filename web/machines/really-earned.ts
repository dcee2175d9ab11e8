import type { OwnMachine } from '../api/queries.ts'
import { earned } from '../format.ts'

/** The earnings of machines on the last 30 whole days, as the marketplace reports them. */
export interface ReallyEarned {
  usd: number
  /** The number of machines with known earnings. */
  machines: number
  /** The number of known days: of the machine with the fewest, and of the machine with the most. */
  days: readonly [number, number]
}

export const earnedTitle =
  'Earnings from GPUs, storage and traffic on whole days (UTC), as the marketplace reports them'

/** null: unknown for all machines. */
export function reallyEarned(machines: readonly OwnMachine[]): ReallyEarned | null {
  const known = machines.flatMap(({ marketplace }) => marketplace?.earned ?? [])
  if (known.length === 0) return null
  const days = known.map((one) => one.days['30d'])
  return {
    usd: known.reduce((sum, { usd }) => sum + usd['30d'], 0),
    machines: known.length,
    days: [Math.min(...days), Math.max(...days)],
  }
}

/** The number of known days, as in "30 d" or "12 to 30 d". */
export const daysOf = ({ days: [fewest, most] }: ReallyEarned): string =>
  fewest === most ? `${most} d` : `${fewest} to ${most} d`

/** The reported earnings with their days, as in "$12.50 in 30 d". */
export const reallyEarnedWords = (given: ReallyEarned): string => `${earned(given.usd)} in ${daysOf(given)}`

/** The words for figures that need rentals, where the source does not show them. */
export const notFromSource = 'not known from this source'
