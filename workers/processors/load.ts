import { loadAll } from '../../ingest/load.ts'
import type { Processor } from '../work-context.ts'

/** Loads the snapshots that wait into ClickHouse. */
export const loadSlots: Processor = async ({ metrics, stopping, wakeAlerts, ...stores }) => {
  const slots = await loadAll(stores, stopping)
  metrics?.loadedSlots.inc(slots)
  if (slots > 0) await wakeAlerts()
  return slots
}
