import { day as secondsPerDay } from '../contract/durations.ts'
import { ceilTo, floorTo, wholeBuckets } from '../contract/ladder.ts'
import { groupBy } from '../platform/group-by.ts'
import { execute } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { noteChecked, rangesToCheck } from './checked-ranges.ts'
import {
  type BrokenPart,
  findBrokenParts,
  findDaysWithoutMachines,
  findLackingHours,
  findShortSlots,
  hourOf,
  type LackingHour,
} from './find-damage.ts'
import { loadWaiting } from './load.ts'
import { notePending } from './note-pending.ts'
import { countText, runs, timeText } from './problems.ts'
import type { Range } from './ranges.ts'
import { reconcile } from './reconcile.ts'
import { observationsPerHour } from './rollup.ts'
import { holdSeries, type Series, writeSeries } from './write-series.ts'

/** The findings of one check for damage, and its repairs. */
export interface Mended {
  /** Sentences about broken parts. Their rows are computed again. */
  broken: string[]
  /** Number of hours that lacked rows. The rows are computed again. */
  hours: number
  /** Snapshots that were loaded again from the spool. */
  reloaded: number
  /** Sentences about ranges whose rows are lost. */
  lost: string[]
}

interface Damage extends Range {
  place: string
  problem: string
}

/**
 * Looks for broken parts of tables, and for rows that are missing although the ledger of slots has their slot. Rows are computed
 * from observations, or loaded from the spool. Lost rows are named. All findings are recorded first, so that the next call
 * continues after a crash. A call checks the newest days and a part of the rest, so its cost does not grow with the series.
 */
export async function mendSeries(stores: Stores, stop?: AbortSignal): Promise<Mended> {
  const parts = await holdSeries(
    stores,
    async (series) => noteParts(series, await findBrokenParts(series)),
    stop,
  )
  const broken = [...new Set(parts.map(({ problem }) => problem))]
  // A ledger without its newest slots looks like the ledger of a restored store.
  if (parts.some(({ table }) => table === 'slots')) {
    const { done, lost: slots } = await reconcile(stores)
    const lost = describeLostSlots(slots)
    await noteLost(stores, lost)
    if (!done) return { broken, hours: 0, reloaded: 0, lost: lost.map(({ problem }) => problem) }
  }
  return { broken, ...(await writeSeries(stores, (series) => mendRows(series, parts, stop), stop)) }
}

async function mendRows(
  series: Series,
  parts: readonly NotedPart[],
  stop: AbortSignal | undefined,
): Promise<Omit<Mended, 'broken'>> {
  // An unfinished roll-up is no damage.
  await loadWaiting(series, stop)
  const checked = await rangesToCheck(
    series,
    parts.map(({ range }) => range),
  )
  const short = await findShortSlots(series, checked.ranges)
  const isLost = new Set([...short.lost, ...short.spooled].map(hourOf))
  const lackingHours = await findLackingHours(series, checked.ranges)
  const hours = await hoursToCompute(series, parts, { lackingHours, isLost })
  const lost = [...describeLostSlots(short.lost), ...describeLostHours(hours.lost)]
  await noteLost(series, lost)
  await series.postgres.query('UPDATE snapshots SET loaded_at = NULL WHERE slot = ANY ($1)', [short.spooled])
  for (const range of stretchesOf(hours.found, isLost))
    await notePending(series.postgres, { ...range, rebuild: true })
  await publishAgain(series, parts, checked.ranges)
  await loadWaiting(series, stop)
  // A stopped load returns before everything is done.
  stop?.throwIfAborted()
  await noteMended(series, parts)
  await noteChecked(series, checked)
  return {
    hours: hours.found.length,
    reloaded: short.spooled.length,
    lost: lost.map(({ problem }) => problem),
  }
}

type NotedPart = BrokenPart & Damage

/** Records new parts, deletes parts that were removed meanwhile, and returns the parts that are not mended yet. */
async function noteParts({ postgres }: Series, parts: readonly BrokenPart[]): Promise<NotedPart[]> {
  const noted = parts.map((part): NotedPart => ({ ...part, ...part.range, ...describePart(part) }))
  const { rows } = await postgres.query<{ place: string }>('mend/note_parts', [JSON.stringify(noted)])
  const isOpen = new Set(rows.map(({ place }) => place))
  return noted.filter(({ place }) => isOpen.has(place))
}

/** Tables of the roll-up. */
const isComputedByHour = new Set(['cube', 'price_histogram', 'price_steps', 'flows', 'terms', 'specs'])

/** Tables whose rows cannot be computed from another table. */
const sources = new Set(['observations', 'list_prices', 'official'])

function describePart({ server, table, part, range }: BrokenPart): Pick<Damage, 'place' | 'problem'> {
  const when = range.from > 0 ? ` of the month from ${timeText(range.from)} on` : ''
  const then = sources.has(table)
    ? 'Lost rows are listed by their time.'
    : 'Their rows are computed again where the observations are kept.'
  return {
    place: `${server} ${table} ${part}`,
    problem: `ClickHouse found parts of ${table}${when} broken and set them aside. ${then}`,
  }
}

const noteMended = ({ postgres }: Series, parts: readonly NotedPart[]) =>
  postgres.query('UPDATE damages SET mended_at = rackrate_now() WHERE place = ANY ($1)', [
    parts.map(({ place }) => place),
  ])

const noteLost = ({ postgres }: { postgres: Session }, lost: readonly Damage[]) =>
  postgres.query('mend/note_lost', [JSON.stringify(lost)])

/**
 * The hours to compute again, and the hours that can no longer be computed, with their tables. `isLost`: hours with an incomplete
 * slot.
 */
async function hoursToCompute(
  series: Series,
  parts: readonly NotedPart[],
  { lackingHours, isLost }: { lackingHours: readonly LackingHour[]; isLost: ReadonlySet<number> },
) {
  const lacking = lackingHours.filter(({ hour }) => !isLost.has(hour))
  const since = ceilTo(3600, series.since)
  const found = new Set(lacking.filter(({ hour }) => hour >= since).map(({ hour }) => hour))
  for (const { range } of parts.filter(({ table }) => isComputedByHour.has(table)))
    for (const { hour } of await observationsPerHour(series.clickhouse, range))
      if (!isLost.has(hour)) found.add(hour)
  return {
    found: [...found].sort((a, b) => a - b),
    lost: lacking.filter(({ hour }) => hour < since),
  }
}

/**
 * Adjoining hours as ranges. No range contains an hour with an incomplete slot: its rows would be computed from fewer
 * observations than before.
 */
function stretchesOf(hours: readonly number[], isLost: ReadonlySet<number>): Range[] {
  const ranges: Range[] = []
  for (const hour of hours) {
    const last = ranges.at(-1)
    const reaches =
      last && hour - last.to <= secondsPerDay && !gapOf(last.to, hour).some((h) => isLost.has(h))
    if (reaches) last.to = hour + 3600
    else ranges.push({ from: hour, to: hour + 3600 })
  }
  return ranges
}

const gapOf = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 3600 }, (_, index) => from + index * 3600)

const advice = 'Restore a backup (docs/operations.md#broken-parts)'

const describeLostSlots = (slots: readonly number[]): Damage[] =>
  runs(slots, (slot) => slot, secondsPerDay).map((run) => {
    const [from, to] = [Math.min(...run), Math.max(...run) + 1]
    const what = `${countText(run.length, 'slot')} from ${timeText(from)} to ${timeText(to)}`
    return {
      place: `observations ${from}`,
      from,
      to,
      problem: `Observations of ${what} are lost. ${advice}, or accept the gap with \`rackrate reconcile --accept-loss\`.`,
    }
  })

const describeLostHours = (hours: readonly { table: string; hour: number }[]): Damage[] =>
  [...groupBy(hours, ({ table }) => table)].flatMap(([table, lacking]) =>
    runs(lacking, ({ hour }) => hour, secondsPerDay).map((run) => {
      const from = Math.min(...run.map(({ hour }) => hour))
      const to = Math.max(...run.map(({ hour }) => hour)) + 3600
      return {
        place: `${table} ${from}`,
        from,
        to,
        problem: `Rows of ${table} from ${timeText(from)} to ${timeText(to)} are lost, and the observations that they were made of are no longer kept. ${advice}.`,
      }
    }),
  )

/** Tables that are computed by day, after the roll-up. */
const isStoredByDay = new Set(['machine_days', 'price_index', 'published_days'])

/** Deletes the publication record of days whose rows may be lost. The queue `publish` then computes them again. */
async function publishAgain(
  series: Series,
  parts: readonly NotedPart[],
  ranges: readonly Range[],
): Promise<void> {
  const { clickhouse } = series
  const since = ceilTo(secondsPerDay, series.since)
  const days = (await findDaysWithoutMachines(series, ranges)).map(({ day }) => ({
    from: day,
    to: day + secondsPerDay,
  }))
  const damaged = parts.filter(({ table }) => isStoredByDay.has(table)).map(({ range }) => range)
  for (const range of [...days, ...damaged]) {
    const { from, to } = wholeBuckets(secondsPerDay, { ...range, to: floorTo(secondsPerDay, range.to) })
    if (to > since)
      await execute(clickhouse, 'mend/forget_published', {
        from: Math.max(from, since),
        to,
      })
  }
}
