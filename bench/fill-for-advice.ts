import { wholeBuckets } from '../contract/ladder.ts'
import { enterSlots } from '../ingest/enter-slots.ts'
import { makeFlows, withSlotBefore } from '../ingest/flows.ts'
import type { backfill } from '../ingest/pending-rollups.ts'
import { observationsPerHour, rollUpPrices } from '../ingest/rollup.ts'
import { writeSeries } from '../ingest/write-series.ts'

/**
 * Writes the observations of a range, and computes only the tables that advice reads: price histogram, price steps and flows. The cube,
 * which takes most of the time, is left out.
 */
export const fillForAdvice: typeof backfill = (stores, range, write) =>
  writeSeries(stores, async (series) => {
    const written = await write(series)
    await enterSlots(series, 'announce', range)
    const revision = await series.nextRevision()
    const followed = await withSlotBefore(series, range)
    const hours = await observationsPerHour(series.clickhouse, wholeBuckets(604_800, followed))
    await rollUpPrices(series, hours, { ...range, revision })
    await makeFlows(series, hours, { ...wholeBuckets(3600, followed), revision })
    await enterSlots(series, 'show', range)
    return written
  })
