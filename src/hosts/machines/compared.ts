import { hour } from '../../../contract/durations.ts'
import { type MachineClass, widenedNames } from '../../../contract/market-filter.ts'
import { certain, type Estimate, rateOf } from '../../../estimates/fill-rate.ts'
import { priorEvents } from '../../../estimates/overdispersion.ts'

/** A row of machines/class_flows. Without names, `gpu_name` is empty. */
export interface ClassFlow extends MachineClass {
  gpu_name: string
  position: number
  exposed_seconds: number
  rented_gpus: number
  rented_variance: number
  held_seconds: number
  returned_gpus: number
  returned_variance: number
}

/** True if a machine of the same GPU name and memory is in a class. */
export const isOfClass = (machine: MachineClass, other: MachineClass): boolean =>
  widenedNames.every((name) => machine[name] === other[name])

/** Speed of rentals and returns in a class, relative to others at the same price position. */
export interface Factors {
  rented: Estimate
  returned: Estimate
}

export const likeOthers = (): Factors => ({ rented: certain, returned: certain })

/** Observed events, the events expected by the rates of a larger group, and the variance of the observed ones. */
export interface Compared {
  events: number
  expected: number
  variance: number
}

const total = <Row>(rows: readonly Row[], what: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + what(row), 0)

export const ratio = ({ events, expected }: Compared, dispersion: number): Estimate | null =>
  rateOf({ events: events / dispersion, hours: expected / dispersion })

export const pulledRatio = ({ events, expected }: Compared, dispersion: number): Estimate =>
  rateOf({ events: events / dispersion + priorEvents, hours: expected / dispersion + priorEvents }) ?? certain

export const exposedHours = (rows: readonly ClassFlow[]): number =>
  total(rows, (row) => row.exposed_seconds) / hour

/** The rentals of some machines, beside the rentals expected at rates by position. */
export const rentals = (
  rows: readonly ClassFlow[],
  rates: readonly number[],
  factorsOf: (of: MachineClass) => Factors,
): Compared => ({
  events: total(rows, (row) => row.rented_gpus),
  expected:
    total(rows, (row) => row.exposed_seconds * (rates[row.position] ?? 0) * factorsOf(row).rented.value) /
    hour,
  variance: total(rows, (row) => row.rented_variance),
})

/** The returns of some machines, beside the returns expected at a rate. */
export const returns = (
  rows: readonly ClassFlow[],
  rate: number,
  factorsOf: (of: MachineClass) => Factors,
): Compared => ({
  events: total(rows, (row) => row.returned_gpus),
  expected: (total(rows, (row) => row.held_seconds * factorsOf(row).returned.value) / hour) * rate,
  variance: total(rows, (row) => row.returned_variance),
})
