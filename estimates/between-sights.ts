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
  /** `exposed_gap` times the number of rentals that the machine may have at the same time: rentals and returns of one machine cancel. */
  both_gap: number
}

interface Rates {
  rented: number
  returned: number
}

/** The least share of the time that is counted. Below it the sights are too rare for a correction. */
const leastShare = 0.3
const mostSteps = 20

const total = (rows: readonly SeenFlows[], name: keyof SeenFlows): number =>
  rows.reduce((sum, row) => sum + row[name], 0)

const meanOf = (sum: number, weight: number): number => (weight > 0 ? sum / weight : 0)

/** The share of events that are seen after a time in which `x` changes are expected: of a GPU that changes its state at a constant rate, (1 − e^−x) ÷ x. */
const seenShare = (x: number): number => (x > 0 ? -Math.expm1(-x) / x : 1)

const sharesOf = (flows: SeenFlows, { rented, returned }: Rates) => {
  const seenOf = (gap: number, seconds: number) => seenShare((rented + returned) * meanOf(gap, seconds))
  const [exposed, held] = [
    seenOf(flows.exposed_gap, flows.exposed_seconds),
    seenOf(flows.kept_gap, flows.held_seconds),
  ]
  // Expected returns of a machine while one of its free GPUs waits, and rentals while one of its GPUs is held.
  const returns = returned * held * meanOf(flows.both_gap, flows.exposed_seconds)
  const rentals = rented * exposed * meanOf(flows.both_gap, flows.held_seconds)
  const both = seenShare((returns + rentals) / 2)
  return {
    exposed: Math.max(leastShare, exposed * (1 - both * returns)),
    held: Math.max(leastShare, held * (1 - both * rentals)),
  }
}

/** Rentals and returns per GPU-second, for which the expected number of seen ones is the counted number. */
function ratesOf(flows: SeenFlows): Rates {
  let rates = { rented: 0, returned: 0 }
  for (let step = 0; step < mostSteps; step += 1) {
    const { exposed, held } = sharesOf(flows, rates)
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
  const rates = ratesOf({
    exposed_seconds: total(rows, 'exposed_seconds'),
    rented_gpus: total(rows, 'rented_gpus'),
    held_seconds: total(rows, 'held_seconds'),
    returned_gpus: total(rows, 'returned_gpus'),
    exposed_gap: total(rows, 'exposed_gap'),
    kept_gap: total(rows, 'kept_gap'),
    both_gap: total(rows, 'both_gap'),
  })
  return rows.map((row) => {
    const expected = rates.rented * row.exposed_seconds
    const rented = (rates.rented * (row.rented_gpus + priorEvents)) / (expected + priorEvents)
    const { exposed, held } = sharesOf(row, { ...rates, rented })
    return {
      ...row,
      exposed_seconds: row.exposed_seconds * exposed,
      held_seconds: row.held_seconds * held,
    }
  })
}
