import { recordOf } from '../contract/records.ts'
import { priorEvents } from './overdispersion.ts'

/**
 * Flows of machines. A sweep sees a machine again after hours, and a rental that has begun and ended meanwhile is not seen. The gaps are GPU-seconds times the
 * seconds between two sights of the machine. They are 0 where each slot sees all machines.
 */
export interface SeenFlows {
  exposed_seconds: number
  rented_gpus: number
  held_seconds: number
  returned_gpus: number
  exposed_gap: number
  kept_gap: number
  /** `exposed_gap` times the number of rentals that the machine may have at the same time. */
  both_gap: number
  /** Rentals times the other rentals that the machine may have, and returns times its available parts, times the seconds between two sights. */
  both_rented: number
  both_returned: number
}

interface Rates {
  rented: number
  returned: number
}

/** The least share of the time that is counted. Below it the sights are too rare for a correction. */
const leastShare = 0.3
const mostSteps = 20

/** The sums over machines that a sweep has not seen in each slot. */
export const gapNames = ['exposed_gap', 'kept_gap', 'both_gap', 'both_rented', 'both_returned'] as const

const sumNames = [
  ...(['exposed_seconds', 'rented_gpus', 'held_seconds', 'returned_gpus'] as const),
  ...gapNames,
] as const satisfies readonly (keyof SeenFlows)[]

const total = (rows: readonly SeenFlows[], name: keyof SeenFlows): number =>
  rows.reduce((sum, row) => sum + row[name], 0)

const meanOf = (sum: number, weight: number): number => (weight > 0 ? sum / weight : 0)

/** The share of events that are seen after a time in which `x` changes are expected: of a GPU that changes its state at a constant rate, (1 − e^−x) ÷ x. */
const seenShare = (x: number): number => (x > 0 ? -Math.expm1(-x) / x : 1)

/**
 * GPUs whose rental is hidden by a return of the same machine, or the other way round, in each unit of `both_gap`: the product of the rates of machines that
 * have both. These may differ from the rates of all machines.
 */
const hiddenOf = (flows: readonly SeenFlows[]): number =>
  meanOf(total(flows, 'both_rented'), total(flows, 'both_gap')) *
  meanOf(total(flows, 'both_returned'), total(flows, 'both_gap'))

/** The shares of the time in which rentals and returns are seen. `hidden`: see hiddenOf. */
function sharesOf(flows: SeenFlows, { rented, returned }: Rates, hidden: number) {
  const share = (gap: number, seconds: number, rate: number) => {
    const lost = meanOf(hidden * flows.both_gap, seconds * rate)
    return Math.max(leastShare, seenShare((rented + returned) * meanOf(gap, seconds)) - lost)
  }
  return {
    exposed: share(flows.exposed_gap, flows.exposed_seconds, rented),
    held: share(flows.kept_gap, flows.held_seconds, returned),
  }
}

/** Rentals and returns per GPU-second, for which the expected number of seen ones is the counted number. */
function ratesOf(flows: SeenFlows, hidden: number): Rates {
  let rates = {
    rented: meanOf(flows.rented_gpus, flows.exposed_seconds),
    returned: meanOf(flows.returned_gpus, flows.held_seconds),
  }
  for (let step = 0; step < mostSteps; step += 1) {
    const { exposed, held } = sharesOf(flows, rates, hidden)
    rates = {
      rented: meanOf(flows.rented_gpus, flows.exposed_seconds * exposed),
      returned: meanOf(flows.returned_gpus, flows.held_seconds * held),
    }
  }
  return rates
}

/**
 * The flows of one GPU name with the times in which its rentals and returns could be seen. The rental rate of a row is pulled to the rate of all rows.
 * Flows of markets that each slot sees as a whole stay as they are.
 */
export function withSeenTimes<Row extends SeenFlows>(rows: readonly Row[]): readonly Row[] {
  if (rows.every(({ exposed_gap, kept_gap }) => exposed_gap === 0 && kept_gap === 0)) return rows
  const hidden = hiddenOf(rows)
  const sums = recordOf(sumNames, (name) => total(rows, name))
  const rates = ratesOf(sums, hidden)
  return rows.map((row) => {
    const expected = rates.rented * row.exposed_seconds
    const rented = (rates.rented * (row.rented_gpus + priorEvents)) / (expected + priorEvents)
    const { exposed, held } = sharesOf(row, { ...rates, rented }, hidden)
    return {
      ...row,
      exposed_seconds: row.exposed_seconds * exposed,
      held_seconds: row.held_seconds * held,
    }
  })
}
