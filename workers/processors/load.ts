import { loadAll } from '../../ingest/load.ts'
import { sourceLabel } from '../../platform/http/prometheus.ts'
import { storeComparables } from '../../src/hosts/machines/comparables.ts'
import type { Processor } from '../work-context.ts'

/** Loads the snapshots that wait into ClickHouse, and makes what the machines of all hosts are compared with. */
export const loadSlots: Processor = async ({ metrics, market, stopping, wake, ...stores }) => {
  const slots = await loadAll(stores, stopping)
  metrics?.loadedSlots.inc(sourceLabel(market), slots)
  if (slots === 0) return slots
  await wake('alerts')
  // Autopilots ask for it, and do without it.
  await storeComparables(stores, stopping).finally(() => wake('autopilot'))
  return slots
}
