import { type Observation, Rejected } from '../import/observation.ts'
import { shownRows } from '../import/odd-rows.ts'
import { cellsOf } from '../ingest/observation-columns.ts'
import { printable, SourceError } from './source-error.ts'

/** The market of a source: machines as lines of the spool. */
export interface CollectedMarket {
  /** JSONCompactEachRow, in the column order of sql/postgres/queries/market.sql. */
  lines: string[]
  machines: number
  /** GPUs by GPU name. */
  gpus: Record<string, number>
  records: number
  /** Number of unusable records. */
  rejected: number
  /** Number of everything that was left out, by reason. */
  reasons: Record<string, number>
  /** The first of these. */
  leftOut: LeftOutPart[]
}

/** A part of an answer that was left out: a row, an offer or a machine. */
export interface LeftOutPart {
  place: string
  reason: string
}

const mostMachines = 200_000
const mostRecords = 500_000
const mostReasons = 20

/** Fields that must be equal in all rows of a machine. */
const facts = ['gpu_name', 'num_gpus', 'host_id', 'verified', 'hosting_type'] as const

/**
 * Collects observations, in any order, into a market. Each machine is there once: a repeated row counts once, and a machine with
 * contradicting rows is left out. With `hasOffers` rows may be overlapping offers of a machine. `carried`: seconds since machines were seen,
 * by machine id, of machines that the slot has not seen.
 */
export function openMarket({ hasOffers = false, carried = new Map<number, number>() } = {}) {
  const offers = new Map<number, { place: string; rows: Observation[] }>()
  const machines = new Map<number, { rows: Observation[]; isSound: boolean }>()
  const reasons = new Map<string, number>()
  const leftOut: LeftOutPart[] = []
  let records = 0
  let rejected = 0

  const leaveOut = (place: string, message: string) => {
    const reason = printable(message)
    if (leftOut.length < shownRows) leftOut.push({ place: printable(place), reason })
    const known = reasons.has(reason) || reasons.size < mostReasons ? reason : 'other reasons'
    reasons.set(known, (reasons.get(known) ?? 0) + 1)
  }
  const keep = (row: Observation) => {
    const machine = machines.get(row.machine_id) ?? { rows: [], isSound: true }
    const problem = problemOf(row, machine.rows)
    if (problem) machine.isSound = problem.isHarmless && machine.isSound
    else machine.rows.push(row)
    machines.set(row.machine_id, machine)
    if (machines.size > mostMachines) throw new SourceError(`It lists more than ${mostMachines} machines.`)
    if (problem) throw new Rejected(problem.reason)
  }
  const hold = (row: Observation, place: string) => {
    const machine = offers.get(row.machine_id) ?? { place, rows: [] }
    machine.rows.push(row)
    offers.set(row.machine_id, machine)
    if (offers.size > mostMachines) throw new SourceError(`It lists more than ${mostMachines} machines.`)
  }
  const attempt = (place: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      rejected += 1
      leaveOut(place, error.message)
    }
  }
  return {
    /** Counts a part of a record that is left out, such as one offer of a machine. The record may be usable without it. */
    leaveOut,
    /** Adds the observations of a record. `read` throws Rejected for an unusable record. */
    add(place: string, read: () => readonly Observation[]) {
      records += 1
      if (records > mostRecords) throw new SourceError(`Its list has more than ${mostRecords} records.`)
      attempt(place, () => {
        for (const row of read()) (hasOffers ? hold : keep)(row, place)
      })
    },
    close(): CollectedMarket {
      for (const { place, rows } of offers.values())
        for (const row of mergeOffers(rows)) attempt(place, () => keep(row))
      offers.clear()
      const lines: string[] = []
      const gpus = new Map<string, number>()
      let count = 0
      for (const [id, { rows, isSound }] of machines) {
        if (!isSound) continue
        count += 1
        for (const [index, row] of rows.sort(byState).entries()) {
          lines.push(lineOf(row, { machines: Number(index === 0), carried: carried.get(id) ?? 0 }))
          gpus.set(row.gpu_name, (gpus.get(row.gpu_name) ?? 0) + row.gpus)
        }
      }
      const found = { lines, machines: count, gpus: Object.fromEntries(gpus) }
      return { ...found, records, rejected, reasons: Object.fromEntries(reasons), leftOut }
    },
  }
}

function problemOf(row: Observation, others: readonly Observation[]) {
  const [first = row] = others
  if (row.gpus > row.num_gpus) return { reason: 'more gpus than num_gpus', isHarmless: false }
  if ((row.min_gpus ?? 1) > row.num_gpus) return { reason: 'more min_gpus than num_gpus', isHarmless: false }
  const different = facts.find((fact) => row[fact] !== first[fact])
  if (different)
    return { reason: `a machine is listed twice, with different values of ${different}`, isHarmless: false }
  const same = others.find((other) => stateOf(other) === stateOf(row))
  if (same) return { reason: 'a machine is there twice', isHarmless: same.gpus === row.gpus }
  const gpus = others.reduce((sum, other) => sum + other.gpus, row.gpus)
  return gpus > row.num_gpus
    ? { reason: 'the rows of a machine have more GPUs than the machine', isHarmless: false }
    : undefined
}

/**
 * Offers that are each for all of their GPUs and are of different sizes overlap: the largest is the machine, and the smallest is the smallest part that can
 * be rented. Imports have the same rule (sql/clickhouse/fragments/judged_rows.sql).
 */
function mergeOffers(rows: readonly Observation[]): readonly Observation[] {
  const sizes = rows.map(({ num_gpus }) => num_gpus)
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const isOffer = ({ rented, gpus, num_gpus }: Observation) => !rented && gpus === num_gpus
  if (least === most || !rows.every(isOffer)) return rows
  return rows.filter(({ num_gpus }) => num_gpus === most).map((row) => ({ ...row, min_gpus: least }))
}

const stateOf = ({ rented, price, rental_type }: Observation) => `${rented} ${price} ${rental_type}`

/** The first row counts the machine: an available one before a rented one. */
const byState = (a: Observation, b: Observation) =>
  Number(a.rented) - Number(b.rented) || (stateOf(a) < stateOf(b) ? -1 : 1)

const lineOf = (row: Observation, beside: { machines: number; carried: number }): string =>
  `[${row.slot},${cellsOf({ ...row, ...beside, source: 'market' })}]`
