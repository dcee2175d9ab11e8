import { noteInterval } from '../platform/stores/slot-interval.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { capture, currentSlot } from './capture.ts'
import { loadAll } from './load.ts'

/** Captures the current slot and loads it. `taken` is false if the slot had been captured before. */
export async function takeSnapshot(stores: Stores, interval: number) {
  await noteInterval(stores.postgres, interval)
  const slot = await currentSlot(stores.postgres, interval)
  const snapshot = await capture(stores.postgres, slot)
  await loadAll(stores)
  return { slot, taken: snapshot !== undefined, observations: snapshot?.observations ?? 0 }
}
