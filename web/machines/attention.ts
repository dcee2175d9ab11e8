import { day } from '../../contract/durations.ts'
import { marginOf } from '../../estimates/costs.ts'
import type { OwnMachine } from '../api/queries.ts'

/** What costs money: `dear` and `cheap` are prices to change. */
export type Trouble = 'offline' | 'idle' | 'dear' | 'cheap'

/** Why a machine needs attention. */
export interface Attention {
  trouble: Trouble
  /** USD a day that it costs; null: not known. */
  aDay: number | null
  /** Since when, unix seconds; null: not known, or it is about the price. */
  since: number | null
}

/** What amounts of a table are: after power and fee, where they are known of every machine, or before. */
export type Basis = 'net' | 'gross'

export const basisOf = (machines: readonly OwnMachine[]): Basis =>
  machines.length > 0 && machines.every(({ figures }) => !figures || figures.costs.floor !== null)
    ? 'net'
    : 'gross'

/** When machines are looked at, and how. */
export interface Look {
  /** The newest snapshot, unix seconds. */
  slot: number
  basis: Basis
}

/** A machine that waits for so many times the mean is idle for longer than 19 of 20 others. */
const longWait = 3

/** What a machine costs most by now; null: nothing. */
export function attentionOf(machine: OwnMachine, { slot, basis }: Look): Attention | null {
  const { figures, online, num_gpus, rented_gpus, price } = machine
  if (!figures) return null
  const free = 1 - rented_gpus / num_gpus
  const earned = earnedADay(machine, basis)
  if (!online) return { trouble: 'offline', aDay: earned && earned * free, since: figures.last_seen }
  const { idle_since, hours_to_rent, advice } = figures
  const waited = idle_since === null ? 0 : slot - idle_since
  if (price !== null && idle_since !== null && waited > longWait * 3600 * (hours_to_rent ?? 24))
    return { trouble: 'idle', aDay: expectedADay(machine, price, basis) ?? earned, since: idle_since }
  if (advice.verdict !== 'raise' && advice.verdict !== 'lower') return null
  const trouble = advice.verdict === 'raise' ? 'cheap' : 'dear'
  return { trouble, aDay: gainADay(machine, basis), since: null }
}

/** USD a day with so many of its GPUs rented: before costs, or after power and fee. */
function leftOf(gross: number, rented: number, { figures, num_gpus }: OwnMachine, basis: Basis): number {
  const margin = basis === 'net' && figures ? marginOf(figures.costs, num_gpus) : null
  return margin ? gross * margin.kept - 24 * rented * num_gpus * margin.power : gross
}

/** What it earned in a day on the market; null: it was seen for less than one. */
function earnedADay(machine: OwnMachine, basis: Basis): number | null {
  const { covered_seconds, income_30d = 0, occupancy_30d = null } = machine.figures ?? {}
  const seen = covered_seconds?.['30d'] ?? 0
  return seen < day ? null : leftOf((income_30d * day) / seen, occupancy_30d ?? 0, machine, basis)
}

/** What it should earn in a day at a price. */
function expectedADay(machine: OwnMachine, price: number, basis: Basis): number | null {
  const gross = machine.figures?.income && machine.figures.income.value / 30
  return gross === null || gross === undefined
    ? null
    : leftOf(gross, gross / (24 * price * machine.num_gpus), machine, basis)
}

/** What its recommended price should earn more in a day. */
function gainADay({ figures }: OwnMachine, basis: Basis): number | null {
  if (!figures) return null
  const { advice, curve, income } = figures
  if (advice.basis === basis) return advice.gain_per_day?.value ?? null
  const there = curve.find(({ price }) => price === advice.price)?.income
  return there && income ? (there.value - income.value) / 30 : null
}
