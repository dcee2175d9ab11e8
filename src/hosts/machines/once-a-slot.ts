import { openReadCache } from '../../../platform/read-cache.ts'
import { evictOldVersions } from '../../market/market-query/evict-old-versions.ts'
import type { SeriesState } from '../../market/market-query/series.ts'

/** The key of a machine: an id may have had two GPU names. */
interface Named {
  id: number
  gpu_name: string
}

/** Reads a value for a list of machines at the newest slot, once a slot for each list. */
export function onceASlot<Machine extends Named, Found extends { size: number }>(
  read: (machines: readonly Machine[], slot: number) => Promise<Found>,
): (machines: readonly Machine[], state: SeriesState) => Promise<Found> {
  const known = openReadCache<string, Found, { machines: readonly Machine[]; slot: number }>({
    max: 1000,
    maxSize: 50_000, // Machines.
    sizeCalculation: ({ size }) => size + 1,
    fetchMethod: (_key, _stale, { context: { machines, slot } }) => read(machines, slot),
  })
  const keepOnly = evictOldVersions(known)
  return (machines, { revision, newest_slot: slot }) => {
    keepOnly(`${revision}`)
    const key = `${revision} ${machines.map(({ id, gpu_name }) => `${id} ${gpu_name}`).join()}`
    return known.forceFetch(key, { context: { machines, slot } })
  }
}
