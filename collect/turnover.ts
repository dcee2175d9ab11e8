import { day } from '../contract/durations.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import { SourceError } from './source-error.ts'

/** The share of machines that may be replaced from one slot to the next, in a market of which no more is known. */
const mostReplaced = 1 / 4
/** In a market with a usual turnover, this multiple of it is accepted. */
const mostTimesUsual = 4
const fewMachines = 2
/** Weight of the newest slot in the usual share. */
const newWeight = 1 / 5

/** The lines of a slot, beside the last good slot of its source. */
export interface SlotBeside {
  slot: number
  lines: readonly string[]
  good_slot: number | null
  /** The share that is usually replaced; null: not known. */
  turnover: number | null
}

/**
 * Returns the share of machines that is usually replaced, with this slot. A list in which far more machines than that are others throws SourceError, unless it
 * is accepted: a sample of the same size as the last one looks like a market in every other way.
 */
export async function usualTurnover(
  postgres: Postgres,
  { slot, lines, good_slot, turnover }: SlotBeside,
  isAccepted: boolean,
): Promise<number | null> {
  if (good_slot === null || slot - good_slot > day) return turnover
  const ids = [...new Set(lines.map((line) => Number(line.split(',', 2)[1])))]
  const { before, shared } = one(
    (await postgres.query<{ before: number; shared: number }>('collector/shared', [good_slot, ids])).rows,
  )
  const smaller = Math.min(before, ids.length)
  // The spool keeps a slot for days only.
  if (smaller === 0) return turnover
  const replaced = 1 - shared / smaller
  const most = Math.max(mostReplaced, mostTimesUsual * (turnover ?? 0))
  if (!isAccepted && replaced > most && smaller - shared > fewMachines)
    throw new SourceError(
      `Its list has ${ids.length} machines, of which the last good slot had ${shared}. No market changes so fast: the list may be a sample, or of another market. If it is right, run: rackrate collect --accept`,
    )
  return isAccepted ? replaced : (1 - newWeight) * (turnover ?? 0) + newWeight * replaced
}
