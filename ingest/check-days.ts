import { day as secondsPerDay } from '../contract/durations.ts'
import { ceilTo, floorTo, wholeBuckets } from '../contract/ladder.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { compareRows } from './compare-rows.ts'
import { type CheckPart, countText, type Problem, rebuild, resultOf, runs, timeText } from './problems.ts'
import { findDueDays, publishIndex } from './publish-days.ts'
import { cover, type Hour, type Range, split } from './ranges.ts'
import type { Series, SeriesReader } from './write-series.ts'

/** A day, by its start in unix seconds, and the number of its stored rows. */
interface StoredDay {
  day: number
  has_slots: number
  has_machines: number
  has_index: number
  is_published: number
  /** Rows that do not match their seal. */
  damaged_index: number
  damaged_published: number
}

const storedDays = (clickhouse: ClickHouse, range: Range): Promise<StoredDay[]> =>
  selectRows(clickhouse, 'check/days', { ...wholeBuckets(secondsPerDay, range) })

const isStray = ({ has_slots, has_machines, has_index, is_published }: StoredDay): boolean =>
  !has_slots && !is_published && (has_machines > 0 || has_index > 0)

/** The day itself, and the days that the index compares it with. */
const comparedWith = (day: number) => [day, day - secondsPerDay, day - 28 * secondsPerDay]

/**
 * Verifies the rows that are stored by day. Days that await publication are skipped, unless a faulty slot made them due:
 * otherwise one faulty slot would mask other faults on three days. `faultySlots` gives the ranges with faulty slots, which earlier parts found.
 */
export function checkDays(
  hours: readonly Hour[],
  range: Range,
  faultySlots: () => readonly Range[],
): CheckPart[] {
  const whole = wholeBuckets(secondsPerDay, range)
  const awaiting = new Map<Range, number[]>()
  const wrong = new Set<number>()
  const look = cover(split(hours, secondsPerDay, whole), whole).map(
    (part) => async (series: SeriesReader) => {
      const { problems, due } = await checkPart(series, part, { slots: faultySlots(), wrong })
      awaiting.set(part, due)
      return resultOf(problems)
    },
  )
  const tell = async (series: SeriesReader) => {
    const today = floorTo(secondsPerDay, await presentOf(series))
    const past = [...awaiting.values()].flat().filter((day) => day < today)
    return { problems: [], not_checked: runs(past, (day) => day, secondsPerDay).map(describeAwaiting) }
  }
  return [...look, tell]
}

/** `wrong`: the days with wrong rows of `machine_days`, which this function keeps up to date. */
async function checkPart(
  series: SeriesReader,
  { from, to }: Range,
  { slots, wrong }: { slots: readonly Range[]; wrong: Set<number> },
): Promise<{ problems: Problem[]; due: number[] }> {
  const { clickhouse } = series
  const since = ceilTo(secondsPerDay, series.since)
  const days = await storedDays(clickhouse, { from, to })
  const due = (await findDueDays(clickhouse, { from: Math.max(from, since), to })).map(({ day }) => day)
  const isDue = new Set(due)
  const isTouched = (day: number) =>
    comparedWith(day).some((start) =>
      slots.some((slot) => slot.from < start + secondsPerDay && slot.to > start),
    )
  const problems = days.flatMap(damages)
  for (const { day, is_published } of days) {
    if (!is_published || day < since || (isDue.has(day) && !isTouched(day))) continue
    const compare = (table: 'machine_days' | 'price_index') =>
      compareRows(clickhouse, { table, seconds: secondsPerDay }, { day })
    const machines = await compare('machine_days')
    if (machines.length > 0) wrong.add(day)
    else wrong.delete(day)
    problems.push(...machines)
    // The index is computed from machine days. Fixing machine days also fixes the index.
    if (!comparedWith(day).some((start) => wrong.has(start))) problems.push(...(await compare('price_index')))
  }
  return { problems, due }
}

async function presentOf({ postgres }: SeriesReader): Promise<number> {
  const text = 'SELECT extract(epoch FROM rackrate_now())::bigint AS now'
  return one((await postgres.query<{ now: number }>(text)).rows).now
}

function describeAwaiting(days: readonly number[]) {
  const from = Math.min(...days)
  const to = Math.max(...days) + secondsPerDay
  const reason = `${countText(days.length, 'day')} from ${timeText(from)} on await publication, so machine_days and price_index are not checked for them. A worker publishes them, and so does \`${rebuild({ from, to })}\`.`
  return { from, to, reason }
}

function damages(stored: StoredDay): Problem[] {
  const range = { from: stored.day, to: stored.day + secondsPerDay }
  const date = timeText(stored.day).slice(0, 10)
  const changed = 'changed after publication: they do not fit their seal'
  const faults = [
    { table: 'price_index', rows: stored.damaged_index, fault: changed },
    { table: 'published_days', rows: stored.damaged_published, fault: changed },
    { table: 'machine_days', rows: isStray(stored) ? stored.has_machines : 0, fault: strange },
    { table: 'price_index', rows: isStray(stored) ? stored.has_index : 0, fault: strange },
  ]
  return faults
    .filter(({ rows }) => rows > 0)
    .map(({ table, fault }) => ({
      table,
      ...range,
      problem: `${table}: rows of ${date} ${fault}.`,
      fix: rebuild(range),
    }))
}

const strange = 'should not be there: the series has no slot on that day'

/**
 * Removes rows stored by day that were changed after publication, or that belong to days without slots. Such days are published
 * again where observations remain.
 */
export async function forgetDamagedDays(series: Series, range: Range): Promise<void> {
  const { clickhouse } = series
  const revision = await series.nextRevision()
  for (const stored of await storedDays(clickhouse, range)) {
    const { day } = stored
    const is_stray = isStray(stored)
    if (is_stray) await execute(clickhouse, 'days/forget_stale', { day, revision })
    if (stored.damaged_index > 0 || is_stray)
      await execute(clickhouse, 'days/forget_index', { day, is_stray })
    if (stored.damaged_published > 0) await execute(clickhouse, 'days/forget_entry', { day })
    // Days whose observations were dropped never become due again.
    if (stored.damaged_index > 0 && day < series.since && !is_stray)
      await publishIndex(series, day, 'a row was changed after its publication')
  }
}
