import { LRUCache } from 'lru-cache'
import { evictOldVersions } from '../../market/market-query/evict-old-versions.ts'

/** Reads rows of GPU names. The rows of a name and a time are read once for all callers. */
export type RowsByName<Row> = (
  names: readonly string[],
  times: Record<string, number>,
  read: (names: string[]) => Promise<Row[]>,
) => Promise<Map<string, Row[]>>

export function openRowsByName<Row extends { gpu_name: string }>(): RowsByName<Row> {
  const cache = new LRUCache<string, Promise<Row[]>>({ max: 500 })
  const keepOnly = evictOldVersions(cache)
  return async (names, times, read) => {
    const edition = JSON.stringify(times)
    keepOnly(edition)
    const keyOf = (gpu: string) => `${edition} ${gpu}`
    const known = new Map(names.map((gpu) => [gpu, cache.get(keyOf(gpu))]))
    const missing = names.filter((gpu) => !known.get(gpu))
    // One statement for all names that are not known yet: planning takes longer than reading.
    const found = missing.length > 0 ? read(missing) : Promise.resolve([])
    for (const gpu of missing) {
      const rows = found.then((all) => all.filter(({ gpu_name }) => gpu_name === gpu))
      rows.catch(() => cache.delete(keyOf(gpu)))
      cache.set(keyOf(gpu), rows)
      known.set(gpu, rows)
    }
    return new Map(await Promise.all(names.map(async (gpu) => [gpu, (await known.get(gpu)) ?? []] as const)))
  }
}
