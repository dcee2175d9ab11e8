import { filterNames, type MachineClass } from '../../../contract/market-filter.ts'
import { certain, type Estimate, rateOf } from '../../../estimates/fill-rate.ts'

/** A row of machines/class_flows.sql. Without names, `gpu_name` is empty. */
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

export const sameClass = (one: MachineClass, other: MachineClass): boolean =>
  filterNames.every((name) => one[name] === other[name])

/** How much sooner than others the machines of a class are rented, and come back, at the same price position. */
export interface Factors {
  rented: Estimate
  returned: Estimate
}

export const likeOthers = (): Factors => ({ rented: certain, returned: certain })

/**
 * How far a group is pulled to the larger one that it belongs to: as if it had so many events more, at the rate of that one. This suits
 * groups that differ by a quarter or so.
 */
const pull = 20

/** Events that were seen, those that the rates of a larger group let expect, and the variance of what was seen. */
export interface Compared {
  events: number
  expected: number
  variance: number
}

const total = <Row>(rows: readonly Row[], what: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + what(row), 0)

/**
 * How many GPUs go at once: the variance of the count, from hour to hour, in relation to the count. Those that go together tell as much as
 * one of them. Of few events it is pulled to what is usual.
 */
export const overdispersionOf = (
  { events, variance }: Pick<Compared, 'events' | 'variance'>,
  usual?: number,
): number => Math.max(1, usual ? (variance + pull * usual) / (events + pull) : variance / Math.max(1, events))

export const ratio = ({ events, expected }: Compared, dispersion: number): Estimate | null =>
  rateOf({ events: events / dispersion, hours: expected / dispersion })

export const pulledRatio = ({ events, expected }: Compared, dispersion: number): Estimate =>
  rateOf({ events: events / dispersion + pull, hours: expected / dispersion + pull }) ?? certain

export const exposedHours = (rows: readonly ClassFlow[]): number =>
  total(rows, (row) => row.exposed_seconds) / 3600

/** The rentals of some machines, beside those at rates by position. */
export const rentals = (
  rows: readonly ClassFlow[],
  rates: readonly number[],
  factorsOf: (of: MachineClass) => Factors,
): Compared => ({
  events: total(rows, (row) => row.rented_gpus),
  expected:
    total(rows, (row) => row.exposed_seconds * (rates[row.position] ?? 0) * factorsOf(row).rented.value) /
    3600,
  variance: total(rows, (row) => row.rented_variance),
})

/** What came back of some machines, beside what does at a rate. */
export const returns = (
  rows: readonly ClassFlow[],
  rate: number,
  factorsOf: (of: MachineClass) => Factors,
): Compared => ({
  events: total(rows, (row) => row.returned_gpus),
  expected: (total(rows, (row) => row.held_seconds * factorsOf(row).returned.value) / 3600) * rate,
  variance: total(rows, (row) => row.returned_variance),
})
