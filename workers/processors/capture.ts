import { collect } from '../../collect/collect.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { sourceLabel } from '../../platform/http/prometheus.ts'
import type { Processor } from '../work-context.ts'

/**
 * Captures the current slot, unless it was captured before: from the site's source, or from the marketplace's tables without a
 * source.
 */
export const captureSlot: Processor = async (context) => {
  const { postgres, source, snapshotInterval: interval, stopping: stop, metrics, market, wake } = context
  const slot = await currentSlot(postgres, interval)
  const snapshot = source
    ? await collect(context, source, { slot, interval, stop })
    : await capture(postgres, slot)
  if (!snapshot) return undefined
  metrics?.capturedObservations.set(sourceLabel(market), snapshot.observations)
  await wake('load')
  return snapshot
}
