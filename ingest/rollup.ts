import { ceilTo, floorTo, isHourly, ladder, slotStep } from '../contract/ladder.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql.ts'

/** A range of slots in unix seconds, `to` exclusive. */
export interface Range {
  from: number
  to: number
}

// One statement pools about this many observations, which keeps its hash tables under a gigabyte.
const observationsPerStatement = 2_000_000
// Statements also end where months pile up: ClickHouse refuses an insert that touches more than 100 partitions.
const secondsPerStatement = 2 * 365 * 86_400

interface RollUp {
  /** Newer than that of any earlier roll-up. */
  revision: number
  /** Before it observations may be gone. */
  since: number
  /** Also removes derived rows that no observation backs any more (after observations were deleted by hand). */
  rebuild?: boolean
}

/**
 * Makes every derived row of `range` anew, for whole buckets: the hourly price histogram, the cube's single slots, then each
 * step of the ladder. A pure function of the observations: running it twice, or at another time, gives the same rows.
 *
 * What is made of observations that may be gone stays as it is: the histogram, the single slots and buckets below an hour. Whole hours
 * are made of these, so they can be made anew at any age.
 */
export async function rollUp(
  clickhouse: ClickHouse,
  range: Range,
  { revision, since, rebuild = false }: RollUp,
): Promise<void> {
  const hours = await observationsPerHour(clickhouse, wholeBuckets(604_800, range))
  const observed = observedPart(range, since)

  const ofHours = wholeBuckets(3600, observed)
  for (const part of split(hours, 3600, ofHours)) {
    await execute(clickhouse, loadSql('clickhouse/queries/rollup/histogram'), { ...part, revision })
  }
  if (rebuild) await forget(clickhouse, 'stale_histogram', { ...ofHours, revision })

  for (const part of split(hours, slotStep, observed)) {
    await execute(clickhouse, loadSql('clickhouse/queries/rollup/slots'), { ...part, revision })
  }
  if (rebuild) await forget(clickhouse, 'stale', { ...observed, step: slotStep, revision })

  for (const step of ladder) {
    const hourly = isHourly(step)
    const buckets = wholeBuckets(step, hourly ? range : observed)
    for (const part of split(hours, step, buckets)) {
      await execute(clickhouse, loadSql('clickhouse/queries/rollup/buckets'), {
        ...part,
        step,
        hourly,
        revision,
      })
    }
    if (rebuild) await forget(clickhouse, 'stale', { ...buckets, step, revision })
  }
}

// To delete takes seconds even where nothing is to go, and on a cluster it takes every server. So we look first.
async function forget(
  clickhouse: ClickHouse,
  what: 'stale' | 'stale_histogram',
  parameters: Range & { step?: number; revision: number },
): Promise<void> {
  const found = await selectRows(clickhouse, loadSql(`clickhouse/queries/rollup/find_${what}`), {
    ...parameters,
  })
  if (found.length > 0)
    await execute(clickhouse, loadSql(`clickhouse/queries/rollup/forget_${what}`), { ...parameters })
}

/** What of a range lies in hours whose observations are all there; an empty range at 0 when nothing does. */
export function observedPart({ from, to }: Range, since: number): Range {
  const start = Math.max(from, ceilTo(3600, since))
  return start < to ? { from: start, to } : { from: 0, to: 0 }
}

export interface Hour {
  hour: number
  observations: number
}

export const observationsPerHour = (clickhouse: ClickHouse, range: Range) =>
  selectRows<Hour>(clickhouse, loadSql('clickhouse/queries/rollup/observations_per_hour'), { ...range })

export const wholeBuckets = (step: number, range: Range): Range => ({
  from: floorTo(step, range.from),
  to: ceilTo(step, range.to),
})

/** Cuts `range` at multiples of `step` into parts of bounded size; stretches without observations are left out. */
export function split(hours: readonly Hour[], step: number, range: Range): Range[] {
  const unit = Math.max(step, 3600)
  const parts: (Range & { observations: number })[] = []
  for (const { hour, observations } of hours) {
    if (hour + 3600 <= range.from || hour >= range.to) continue
    const from = Math.max(floorTo(unit, hour), range.from)
    const to = Math.min(floorTo(unit, hour) + unit, range.to)
    const last = parts.at(-1)
    const fits =
      last &&
      last.observations + observations <= observationsPerStatement &&
      to - last.from <= secondsPerStatement
    if (last && (fits || from < last.to)) {
      last.to = to
      last.observations += observations
    } else {
      parts.push({ from, to, observations })
    }
  }
  return parts.map(({ from, to }) => ({ from, to }))
}
