import { capture, currentSlot } from '../../ingest/capture.ts'
import type { Processor } from '../work-context.ts'

/** Takes the snapshot of the present slot, unless it was taken. */
export const captureSlot: Processor = async ({ postgres, snapshotInterval, metrics, wakeLoad }) => {
  const snapshot = await capture(postgres, await currentSlot(postgres, snapshotInterval))
  if (!snapshot) return undefined
  metrics?.capturedObservations.set(snapshot.observations)
  await wakeLoad()
  return snapshot
}
