import { hour } from '../../../contract/durations.ts'
import type { GpuFill } from '../../../contract/fill.ts'
import { type SeenFlows, withSeenTimes } from '../../../estimates/between-sights.ts'
import {
  type Counted,
  type Estimate,
  hoursToRent,
  nothingAvailable,
  occupancyOf,
  rateOf,
  thinReason,
} from '../../../estimates/fill-rate.ts'
import { overdispersionOf, overdispersionOfRigs } from '../../../estimates/overdispersion.ts'

/** A row of fill/positions. */
export interface PositionRow extends SeenFlows {
  position: number
  rented_variance: number
  /** GPU-seconds times the rig size of the machines. */
  exposed_rigs: number
  held_rigs: number
  withdrawn_gpus: number
  returned_variance: number
  lowest: number | null
  highest: number | null
}

const unknown = { value: null, low: null, high: null }
const total = <Row>(rows: readonly Row[], what: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + what(row), 0)

/** The answer of one GPU name, except its range. */
export function sumPositions(counted: readonly PositionRow[]): Omit<GpuFill, 'from' | 'to' | 'slots'> {
  const rows = withSeenTimes(counted)
  const held_gpu_hours = total(rows, (row) => row.held_seconds) / hour
  const returns = total(rows, (row) => row.returned_gpus)
  const rentals = total(rows, (row) => row.rented_gpus)
  const dispersions = {
    rented: overdispersionOfRigs(
      { events: rentals, variance: total(rows, (row) => row.rented_variance) },
      meanRig(counted, 'exposed_rigs', 'exposed_seconds'),
    ),
    returned: overdispersionOfRigs(
      { events: returns, variance: total(rows, (row) => row.returned_variance) },
      meanRig(counted, 'held_rigs', 'held_seconds'),
    ),
  }
  const back = dispersedRate({ events: returns, hours: held_gpu_hours }, dispersions.returned)
  const all = filled(rows, back, dispersions.rented)
  return {
    held_gpu_hours,
    returns,
    return_rate: back ?? unknown,
    positions: rows
      .filter(({ position }) => position !== nothingAvailable)
      .map((row) => ({ position: row.position, ...filled([row], back, dispersions.rented) })),
    all,
    reason: all.reason,
  }
}

/** The mean rig size of the machines that have GPUs in a state, weighted by GPU-seconds. */
const meanRig = (
  rows: readonly PositionRow[],
  rigs: 'exposed_rigs' | 'held_rigs',
  seconds: 'exposed_seconds' | 'held_seconds',
): number =>
  total(rows, (row) => row[rigs]) /
  Math.max(
    1,
    total(rows, (row) => row[seconds]),
  )

/** A rate whose interval counts independent events: GPUs that are rented together give as much evidence as one of them. */
const dispersedRate = ({ events, hours }: Counted, dispersion: number): Estimate | null =>
  rateOf({ events: events / dispersion, hours: hours / dispersion })

/** `usual`: the number of GPUs that are rented at once at all positions. */
function filled(rows: readonly PositionRow[], back: Estimate | null, usual: number): GpuFill['all'] {
  const exposure_gpu_hours = total(rows, (row) => row.exposed_seconds) / hour
  const rentals = total(rows, (row) => row.rented_gpus)
  const counted = { events: rentals, hours: exposure_gpu_hours }
  const dispersion = overdispersionOf(
    { events: rentals, variance: total(rows, (row) => row.rented_variance) },
    usual,
  )
  const fill = thinReason(counted) === null ? dispersedRate(counted, dispersion) : null
  const lows = rows.flatMap(({ lowest }) => lowest ?? [])
  const highs = rows.flatMap(({ highest }) => highest ?? [])
  return {
    price_low: lows.length > 0 ? Math.min(...lows) : null,
    price_high: highs.length > 0 ? Math.max(...highs) : null,
    exposure_gpu_hours,
    rentals,
    withdrawn: total(rows, (row) => row.withdrawn_gpus),
    fill_rate: fill ?? unknown,
    hours_to_rent: fill && hoursToRent(fill),
    occupancy: (fill && back && occupancyOf(fill, back)?.value) ?? null,
    reason: thinReason(counted),
  }
}
