import { loadAll } from '../../ingest/load.ts'
import { sourceLabel } from '../../platform/http/prometheus.ts'
import type { Processor } from '../work-context.ts'

/** Loads the snapshots that wait into ClickHouse. */
export const loadSlots: Processor = async ({ metrics, market, stopping, wake, ...stores }) => {
  const slots = await loadAll(stores, stopping)
  metrics?.loadedSlots.inc(sourceLabel(market), slots)
  if (slots > 0) await Promise.all([wake('alerts'), wake('autopilot')])
  return slots
}
