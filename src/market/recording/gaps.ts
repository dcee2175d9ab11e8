import { hour } from '../../../contract/durations.ts'
import { ceilTo, floorTo } from '../../../contract/ladder.ts'
import type { MarketRecording, RecordingGap } from '../../../contract/recording.ts'

/** A snapshot in the ledger of PostgreSQL. */
export interface TakenSnapshot {
  slot: number
  is_loaded: boolean
  is_spooled: boolean
}

interface Window {
  from: number
  to: number
  /** Seconds between slots. */
  interval: number
}

const mostGaps = 20

/** The snapshots of a window that are due and that readers see, by hour, with the gaps between them. `shown`: the slots that readers see. */
export function recordedIn(
  { from, to, interval }: Window,
  shown: readonly number[],
  taken: readonly TakenSnapshot[],
  reconcile: string,
): NonNullable<MarketRecording['recorded']> {
  const isShown = new Set(shown.map((slot) => floorTo(interval, slot)))
  const takenAt = new Map(taken.map((snapshot) => [snapshot.slot, snapshot]))
  const hours: { hour: number; expected: number; recorded: number }[] = []
  const gaps: RecordingGap[] = []
  for (let slot = ceilTo(interval, from); slot < to; slot += interval) {
    const start = floorTo(hour, slot)
    let last = hours.at(-1)
    if (last?.hour !== start) {
      last = { hour: start, expected: 0, recorded: 0 }
      hours.push(last)
    }
    last.expected += 1
    if (isShown.has(slot)) last.recorded += 1
    else
      addMissing(gaps, {
        from: slot,
        to: slot + interval,
        slots: 1,
        ...causeOf(takenAt.get(slot), reconcile),
      })
  }
  const listed = [...gaps].sort((one, other) => other.slots - one.slots).slice(0, mostGaps)
  return {
    from,
    to,
    interval,
    expected: hours.reduce((sum, { expected }) => sum + expected, 0),
    recorded: hours.reduce((sum, { recorded }) => sum + recorded, 0),
    hours,
    gaps: listed.sort((one, other) => other.from - one.from),
    further_gaps: gaps.length - listed.length,
  }
}

/** Adds a missing slot: to the last gap if it adjoins it and has the same cause. */
function addMissing(gaps: RecordingGap[], missing: RecordingGap): void {
  const last = gaps.at(-1)
  if (last?.to === missing.from && last.cause === missing.cause) {
    last.to = missing.to
    last.slots += 1
  } else gaps.push(missing)
}

function causeOf(
  snapshot: TakenSnapshot | undefined,
  reconcile: string,
): Pick<RecordingGap, 'cause' | 'fix'> {
  if (!snapshot) return { cause: 'not_taken', fix: null }
  if (!snapshot.is_loaded) return { cause: 'waiting', fix: null }
  return snapshot.is_spooled
    ? { cause: 'not_loaded', fix: reconcile }
    : { cause: 'lost', fix: `${reconcile} --accept-loss` }
}
