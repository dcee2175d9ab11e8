import { loadAll } from '../../ingest/load.ts'
import { sourceLabel } from '../../platform/http/prometheus.ts'
import { comparedAt, storeComparables } from '../../src/hosts/machines/comparables.ts'
import { storeFit } from '../../src/hosts/machines/pooled/known-market.ts'
import { watchSeries } from '../../src/market/market-query/series.ts'
import type { Processor } from '../work-context.ts'

/** Loads waiting snapshots into ClickHouse, and stores the comparables and the fit of all machines. */
export const loadSlots: Processor = async ({ metrics, market, stopping, wake, ...stores }) => {
  const slots = await loadAll(stores, stopping)
  metrics?.loadedSlots.inc(sourceLabel(market), slots)
  if (slots === 0) return slots
  await wake('alerts')
  // The autopilot uses the comparables but works without them.
  const series = watchSeries(stores.postgres, stores.clickhouse)
  await storeComparables(stores, series, stopping).finally(() => wake('autopilot'))
  if (!stopping?.aborted) await storeFit(stores, await comparedAt(series))
  return slots
}
