import { day } from '../../contract/durations.ts'
import type { OwnMachine } from '../api/queries.ts'
import { waitsTooLong } from '../components/waiting-words.ts'

/** A reason why a machine loses money: `dear` and `cheap` are prices to change. */
export type Trouble = 'offline' | 'idle' | 'dear' | 'cheap'

/** Why a machine needs attention. */
export interface Attention {
  trouble: Trouble
  /** The loss in USD a day; null: unknown. */
  aDay: number | null
  /** The start of the trouble, unix seconds; null: unknown, or the reason is the price. */
  since: number | null
}

/** The basis of the amounts of a table: net (after power and fee) if these costs are known for every machine, otherwise gross. */
export type Basis = 'net' | 'gross'

export const basisOf = (machines: readonly OwnMachine[]): Basis =>
  machines.length > 0 && machines.every(({ figures }) => !figures || figures.costs.floor !== null)
    ? 'net'
    : 'gross'

/** The time and the basis of the evaluation. */
export interface Look {
  /** The newest snapshot, unix seconds. */
  slot: number
  basis: Basis
}

/** The costliest trouble of a machine now; null: none. */
export function attentionOf(machine: OwnMachine, { basis }: Look): Attention | null {
  const { figures, online, num_gpus, rented_gpus, price } = machine
  if (!figures) return null
  const free = 1 - (rented_gpus ?? 0) / num_gpus
  const earned = earnedADay(machine, basis)
  if (!online) return { trouble: 'offline', aDay: earned && earned * free, since: figures.last_seen }
  const { idle_since, waiting, advice } = figures
  if (price !== null && waiting && waitsTooLong(waiting))
    return { trouble: 'idle', aDay: expectedAt(machine, price, basis) ?? earned, since: idle_since }
  if (advice.verdict !== 'raise' && advice.verdict !== 'lower') return null
  const trouble = advice.verdict === 'raise' ? 'cheap' : 'dear'
  return { trouble, aDay: gainADay(machine, basis), since: null }
}

/**
 * USD a day with a share of the GPUs rented: before costs, or after power and fee. At the floor nothing is left, so an hour rented leaves the
 * part of price − floor that the fee does not take.
 */
function leftOf(gross: number, rented: number, { figures, num_gpus }: OwnMachine, basis: Basis): number {
  const { values, floor = null } = figures?.costs ?? {}
  if (basis === 'gross' || floor === null) return gross
  return (1 - (values?.fee_percent ?? 0) / 100) * (gross - 24 * rented * num_gpus * floor)
}

/** The mean income of a day on the market; null: it was seen for less than a day, or rentals are not known. */
function earnedADay(machine: OwnMachine, basis: Basis): number | null {
  const { covered_seconds, income_30d = 0, occupancy_30d = null } = machine.figures ?? {}
  const seen = covered_seconds?.['30d'] ?? 0
  return seen < day || income_30d === null
    ? null
    : leftOf((income_30d * day) / seen, occupancy_30d ?? 0, machine, basis)
}

/** The expected income of a day at a price. */
function expectedAt(machine: OwnMachine, price: number, basis: Basis): number | null {
  const gross = machine.figures?.income && machine.figures.income.value / 30
  return gross === null || gross === undefined
    ? null
    : leftOf(gross, gross / (24 * price * machine.num_gpus), machine, basis)
}

/** The expected gain of a day at the recommended price. */
function gainADay({ figures }: OwnMachine, basis: Basis): number | null {
  if (!figures) return null
  const { advice, curve, income } = figures
  if (advice.basis === basis) return advice.gain_per_day?.value ?? null
  const there = curve.find(({ price }) => price === advice.price)?.income
  return there && income ? (there.value - income.value) / 30 : null
}
