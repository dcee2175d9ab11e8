import { day, hour } from '../contract/durations.ts'
import { ceilTo, slotStep } from '../contract/ladder.ts'
import { groupBy } from '../platform/group-by.ts'
import { execute, selectRows } from '../platform/stores/clickhouse.ts'
import { type CheckPart, type CheckResult, countText, rebuild, runs, timeText } from './problems.ts'
import { cover, type Hour, observationsPerComparison, type Range, split } from './ranges.ts'
import { anchorOf, isSnapshot } from './snapshot-slots.ts'
import type { Series, SeriesReader } from './write-series.ts'

/** A slot whose ledger entry in ClickHouse disagrees with its observations. */
interface Entry {
  slot: number
  source: string
  is_entered: boolean
  entered: number
  is_ready: boolean
  found: number
  distinct_rows: number
}

/** A snapshot in PostgreSQL. */
interface Snapshot {
  slot: number
  source: string
  is_loaded: boolean
  is_spooled: boolean
}

/** The faults of a slot: each with a sentence and the command that fixes it. */
const faults = {
  stray: { text: 'there are no observations, but the ledger has an entry', fix: rebuild },
  wrong: { text: 'the entry in the ledger does not match the observations', fix: rebuild },
  lost: {
    text: 'the snapshot is recorded as loaded, but it is not in ClickHouse, and waits in PostgreSQL',
    fix: () => 'rackrate reconcile',
  },
  gone: {
    text: 'the snapshot is recorded as loaded, but neither ClickHouse nor PostgreSQL has its rows. Restore a newer backup, or accept the gap',
    fix: () => 'rackrate reconcile --accept-loss',
  },
  unknown: {
    text: 'there are observations of a snapshot that PostgreSQL does not know',
    fix: () => 'rackrate reconcile',
  },
  doubled: { text: 'observations are there twice', fix: () => 'rackrate reconcile' },
  'doubled import': {
    text: 'imported observations are there twice, which no command can undo',
    fix: () => 'rackrate restore',
  },
}

type Fault = keyof typeof faults

interface WrongSlot {
  slot: number
  source: string
  fault: Fault
}

interface FoundSlots {
  wrong: WrongSlot[]
  /** Slots of snapshots that are not loaded yet. */
  waiting: number[]
}

/** Verifies that each slot is in the series once, with the observations of its snapshot. */
export const checkSlots = (hours: readonly Hour[], range: Range): CheckPart[] =>
  partsOf(hours, range).map((part) => async (series) => summarize(await findSlots(series, part)))

function summarize({ wrong, waiting }: FoundSlots): CheckResult {
  const problems = [...groupBy(wrong, ({ fault }) => fault)].flatMap(([fault, slots]) =>
    runs(slots, ({ slot }) => slot, day).map((run) => {
      const part = rangeOf(run.map(({ slot }) => slot))
      const { text, fix } = faults[fault]
      const where = `${countText(run.length, 'slot')} from ${timeText(part.from)} on`
      return { table: 'slots', ...part, problem: `slots: ${where}: ${text}.`, fix: fix(part) }
    }),
  )
  const reason = `Snapshots that wait to be loaded: ${waiting.length}.`
  return { problems, not_checked: waiting.length > 0 ? [{ ...rangeOf(waiting), reason }] : [] }
}

const partsOf = (hours: readonly Hour[], range: Range): Range[] =>
  cover(split(hours, slotStep, range, observationsPerComparison), range)

const rangeOf = (slots: readonly number[]): Range => ({
  from: Math.min(...slots),
  to: Math.max(...slots) + 1,
})

/** Removes ledger entries of slots without observations. Slots of an empty market stay: PostgreSQL has their snapshots. */
export async function forgetStraySlots(series: Series, hours: readonly Hour[], range: Range): Promise<void> {
  const revision = await series.nextRevision()
  for (const part of partsOf(hours, range))
    for (const { slot, source, fault } of (await findSlots(series, part)).wrong)
      if (fault === 'stray')
        await execute(series.clickhouse, 'slots/forget', {
          slot,
          source,
          revision,
        })
}

async function findSlots({ postgres, clickhouse, since }: SeriesReader, range: Range): Promise<FoundSlots> {
  const entries = await selectRows<Entry>(clickhouse, 'check/slots', {
    ...range,
    since: ceilTo(hour, since),
  })
  const { rows: snapshots } = await postgres.query<Snapshot>('check/snapshots', [range.from, range.to])
  const shown = await selectRows<{ slot: number }>(clickhouse, 'slots/shown', {
    ...range,
  })
  const isShown = new Set(shown.map(({ slot }) => slot))
  const snapshotOf = new Map(snapshots.map((snapshot) => [keyOf(snapshot), snapshot]))
  const anchor = await anchorOf(postgres)
  const wrong: WrongSlot[] = []
  for (const entry of entries) {
    const fault = faultOf(entry, snapshotOf.get(keyOf(entry)), anchor)
    if (fault) wrong.push({ slot: entry.slot, source: entry.source, fault })
  }
  const isKnown = new Set(entries.map(keyOf))
  for (const snapshot of snapshots)
    if (snapshot.is_loaded && !isShown.has(snapshot.slot) && !isKnown.has(keyOf(snapshot)))
      wrong.push({ ...snapshot, fault: snapshot.is_spooled ? 'lost' : 'gone' })
  const waiting = snapshots.filter(({ is_loaded }) => !is_loaded).map(({ slot }) => slot)
  return { wrong: wrong.sort((a, b) => a.slot - b.slot), waiting }
}

const keyOf = ({ slot, source }: { slot: number; source: string }) => `${slot} ${source}`

function faultOf(
  entry: Entry,
  snapshot: Snapshot | undefined,
  anchor: number | undefined,
): Fault | undefined {
  const { entered, is_ready, found, distinct_rows } = entry
  if (snapshot && !snapshot.is_loaded) return undefined
  if (found === 0 && !snapshot) return 'stray'
  if (!snapshot && isSnapshot(entry, anchor)) return 'unknown'
  if (found === 0 && snapshot && !(is_ready && entered === 0)) return snapshot.is_spooled ? 'lost' : 'gone'
  if (found !== distinct_rows) return snapshot ? 'doubled' : 'doubled import'
  return entered !== found || !is_ready ? 'wrong' : undefined
}
