import { day as secondsPerDay } from '../contract/durations.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { partsOf, revisionsPart } from './check.ts'
import type { CheckResult, Problem } from './problems.ts'
import type { Range } from './ranges.ts'
import { joinResults, runParts } from './run-parts.ts'

/** A day with slots, and the record of its newest check. */
interface CheckedDay {
  /** The start of the day, unix seconds. */
  day: number
  /** The newest revision of its slots and of its publication. Every roll-up of the day changes it. */
  revision: number
  checked?: DayRecord | undefined
}

/** A row of checked_days. */
interface DayRecord {
  day: number
  revision: number
  /** Number of finished parts of the check. */
  done: number
  parts: number
  problems: number
  not_checked: number
  /** Unix seconds. */
  checked_at: number
}

/** The share of the series that was checked since it last changed. */
export interface CheckedDays {
  days: number
  /** Days checked since their rows last changed, without problems. */
  checked: number
  /** Days among them of which a part could not be checked. */
  in_part: number
  /** Days whose newest check found problems. */
  with_problems: number
  /** Time of the oldest check that counts, unix seconds; null: no day is checked. */
  oldest: number | null
}

/**
 * Checks the days of a range one after the other, until `isOver` returns true. Days that changed since their last check come first, the newest of them first, but the present day after the others. Then all days come in turn, the one whose check is
 * oldest first. The progress is recorded after each part, so that the next call continues, also after a crash.
 */
export async function checkInTurn(
  stores: Stores,
  range: Range,
  isOver: () => boolean,
): Promise<CheckResult & { checked_days: CheckedDays }> {
  const results = await runParts(stores, async () => [revisionsPart(range)])
  for (const day of inOrder(await readDays(stores, range), range)) {
    if (isOver()) break
    results.push(...(await checkDay(stores, day, isOver)))
  }
  const { problems, not_checked } = joinResults(results)
  return { problems: distinct(problems), not_checked, checked_days: await readCheckedDays(stores, range) }
}

/** The share of a range that was checked since it last changed, as far as checks were recorded. */
export const readCheckedDays = async (stores: Stores, range: Range): Promise<CheckedDays> =>
  summaryOf(await readDays(stores, range))

/** A bucket of a week is checked with each of its days. */
const distinct = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((one) => [one.problem, one])).values(),
]

async function readDays({ postgres, clickhouse }: Stores, range: Range): Promise<CheckedDay[]> {
  const days = await selectRows<CheckedDay>(clickhouse, 'check/days_with_slots', { ...range })
  const { rows } = await postgres.query<DayRecord>('check/checked_days')
  const recordOf = new Map(rows.map((record) => [record.day, record]))
  return days.map(({ day, revision }) => ({ day, revision, checked: recordOf.get(day) }))
}

const isCurrent = ({ revision, checked }: CheckedDay): boolean => checked?.revision === revision

const isFinished = (day: CheckedDay): boolean => isCurrent(day) && day.checked?.done === day.checked?.parts

const isClean = (day: CheckedDay): boolean => isFinished(day) && day.checked?.problems === 0

/** The days in the order of their check, each with the gap that follows it: rows where no slot is are found, too. */
function inOrder(days: readonly CheckedDay[], { from, to }: Range): (CheckedDay & Range)[] {
  const ranges = days.map((one, index) => ({
    ...one,
    from: index === 0 ? Math.min(from, one.day) : one.day,
    to: days[index + 1]?.day ?? Math.max(to, one.day + secondsPerDay),
  }))
  const newest = ranges.at(-1)
  const changed = ranges.filter((one) => one !== newest && !isFinished(one)).reverse()
  const present = ranges.filter((one) => one === newest && !isFinished(one))
  const finished = ranges.filter(isFinished)
  finished.sort((a, b) => (a.checked?.checked_at ?? 0) - (b.checked?.checked_at ?? 0))
  return [...changed, ...present, ...finished]
}

/** Checks a day from where its unfinished check ended. */
async function checkDay(
  stores: Stores,
  { day, revision, checked, from, to }: CheckedDay & Range,
  isOver: () => boolean,
): Promise<CheckResult[]> {
  const isUnfinished = checked?.revision === revision && checked.done < checked.parts
  const before = isUnfinished ? checked : { done: 0, parts: 0, problems: 0, not_checked: 0 }
  const found = { problems: before.problems, not_checked: before.not_checked }
  return runParts(
    stores,
    (series) => partsOf(series, { from, to }, before.problems > 0 ? [{ from, to }] : []),
    {
      skip: before,
      isOver,
      async onPart({ problems, not_checked }, { done, parts }) {
        // The check began again, since the day has other parts.
        if (done === 1) Object.assign(found, { problems: 0, not_checked: 0 })
        found.problems += problems.length
        found.not_checked += not_checked.length
        const record = [day, revision, done, parts, found.problems, found.not_checked]
        await stores.postgres.query('check/record_day', record)
      },
    },
  )
}

function summaryOf(days: readonly CheckedDay[]): CheckedDays {
  const clean = days.filter(isClean)
  const times = clean.flatMap(({ checked }) => (checked ? [checked.checked_at] : []))
  return {
    days: days.length,
    checked: clean.length,
    in_part: clean.filter(({ checked }) => (checked?.not_checked ?? 0) > 0).length,
    with_problems: days.filter((one) => isCurrent(one) && (one.checked?.problems ?? 0) > 0).length,
    oldest: times.length > 0 ? Math.min(...times) : null,
  }
}
