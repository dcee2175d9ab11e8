import { hour, week } from '../contract/durations.ts'
import { isHourly, ladder, priceSteps, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { filledSince } from '../platform/stores/backfills.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql, withRowsOf } from '../platform/stores/sql-files.ts'
import { makeChanges } from './changes.ts'
import { makeFlows, withSlotBefore } from './flows.ts'
import { type Hour, observationsOfFilters, observedPart, type Range, split, splitSteps } from './ranges.ts'
import { together } from './together.ts'
import { unknownSteps } from './unknown-steps.ts'
import type { Series } from './write-series.ts'

/** A range whose derived rows are to be computed again. `rebuild`: rows without observations are also removed. */
export interface Derivation extends Range {
  rebuild?: boolean
}

/**
 * Computes every derived row of a range again, in whole buckets: the hourly price histogram and its price steps, the cube's rows
 * from observations, then its rows of whole hours, the flows, the terms and the specs. A pure function of the observations: a second run
 * gives the same rows.
 *
 * Where observations may be gone, rows computed from them stay unchanged: the histogram, single slots, buckets below an hour,
 * flows, terms and specs. Buckets of whole hours are computed from the histogram and the slots, so they can be computed at any age.
 */
export async function rollUp(
  series: Series,
  { from, to, rebuild: isRebuild = false }: Derivation,
): Promise<void> {
  const { clickhouse } = series
  const revision = await series.nextRevision()
  const range = { from, to }
  // After an upgrade, until the backfill is complete, rows with keys of the earlier release would exist beside these.
  const rebuild = isRebuild || (await filledSince(series.postgres)) > wholeBuckets(week, range).from
  const followed = await withSlotBefore(series, range)
  const hours = await observationsPerHour(clickhouse, wholeBuckets(week, followed))

  // In a small market most of a statement's time is planning, which takes one core. So independent roll-ups run concurrently.
  const derivation = { ...range, rebuild, revision }
  const slots = rollUpObserved(series, hours, derivation)
  await together([
    slots,
    (async () => {
      await rollUpPrices(series, hours, derivation)
      await slots
      await rollUpSteps(clickhouse, hours, derivation)
      if (rebuild) await forgetUnknownSteps(clickhouse, { ...wholeBuckets(week, range), revision })
    })(),
    (async () => {
      await slots
      const observed = observedPart(followed, series.since)
      await makeFlows(series, hours, { ...wholeBuckets(hour, observed), revision })
      await makeChanges(series, hours, { ...range, revision })
    })(),
  ])
}

/** Computes the price histogram where all observations are kept, and the price steps. */
export async function rollUpPrices(
  series: Series,
  hours: readonly Hour[],
  { revision, rebuild = false, ...range }: Derivation & { revision: number },
): Promise<void> {
  const { clickhouse } = series
  const wholeHours = wholeBuckets(hour, observedPart(range, series.since))
  const text = withRowsOf('histogram_rows', loadSql('clickhouse/queries/rollup/histogram'), clickhouse.place)
  for (const part of split(hours, hour, wholeHours)) await execute(clickhouse, text, { ...part, revision })
  if (rebuild) await forgetStale(clickhouse, 'stale_histogram', { ...wholeHours, revision })
  await rollUpPriceSteps(series, hours, { ...range, rebuild, revision })
}

async function rollUpObserved(
  { clickhouse, since }: Series,
  hours: readonly Hour[],
  { revision, rebuild = false, ...range }: Derivation & { revision: number },
): Promise<void> {
  const observed = observedPart(range, since)
  const slots = withRowsOf('slot_rows', loadSql('clickhouse/queries/rollup/slots'), clickhouse.place)
  for (const part of splitSteps(hours, observedSteps, observed, observationsOfFilters))
    await execute(clickhouse, slots, { ...part, revision })
  if (rebuild) await forgetStaleSteps(clickhouse, observedSteps, { ...observed, revision })
}

const hourlySteps = ladder.filter(isHourly)
const observedSteps = [slotStep, ...ladder.filter((step) => !isHourly(step))]

async function rollUpSteps(
  clickhouse: ClickHouse,
  hours: readonly Hour[],
  { revision, rebuild = false, ...range }: Derivation & { revision: number },
): Promise<void> {
  const text = withRowsOf('bucket_rows', loadSql('clickhouse/queries/rollup/buckets'), clickhouse.place)
  for (const part of splitSteps(hours, hourlySteps, range))
    await execute(clickhouse, text, { ...part, revision })
  if (rebuild) await forgetStaleSteps(clickhouse, hourlySteps, { ...range, revision })
}

async function rollUpPriceSteps(
  { clickhouse }: Series,
  hours: readonly Hour[],
  { revision, rebuild = false, ...range }: Derivation & { revision: number },
): Promise<void> {
  const text = withRowsOf('step_rows', loadSql('clickhouse/queries/rollup/price_steps'), clickhouse.place)
  const rollUpStep = async (step: number) => {
    const buckets = wholeBuckets(step, range)
    for (const part of split(hours, step, buckets))
      await execute(clickhouse, text, { ...part, step, revision })
    if (rebuild) await forgetStale(clickhouse, 'stale_price_steps', { ...buckets, step, revision })
  }
  await together(priceSteps.map(rollUpStep))
}

async function forgetStaleSteps(
  clickhouse: ClickHouse,
  steps: readonly number[],
  { revision, ...range }: Range & { revision: number },
): Promise<void> {
  for (const step of steps)
    await forgetStale(clickhouse, 'stale', { ...wholeBuckets(step, range), step, revision })
}

async function forgetUnknownSteps(
  clickhouse: ClickHouse,
  { revision, ...range }: Range & { revision: number },
): Promise<void> {
  for (const { table, step } of await unknownSteps(clickhouse, range)) {
    const what = table === 'cube' ? 'stale' : 'stale_price_steps'
    await forgetStale(clickhouse, what, { ...range, step, revision })
  }
}

// A DELETE takes seconds even when there is nothing to remove, and on a cluster it needs every server. So stale rows are counted
// first.
async function forgetStale(
  clickhouse: ClickHouse,
  what: 'stale' | 'stale_histogram' | 'stale_price_steps',
  parameters: Range & { step?: number; revision: number },
): Promise<void> {
  const query = `rollup/find_${what}`
  const found = await selectRows(clickhouse, query, { ...parameters })
  if (found.length > 0) await execute(clickhouse, `rollup/forget_${what}`, { ...parameters })
}

export const observationsPerHour = (clickhouse: ClickHouse, range: Range) =>
  selectRows<Hour>(clickhouse, 'rollup/observations_per_hour', { ...range })
