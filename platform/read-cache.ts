import { LRUCache } from 'lru-cache'
import { refuseWhileHolding } from './stores/held-sessions.ts'

/** A cache that reads what it lacks, once for all who ask for it. A failure is not kept. */
export function openReadCache<Key extends {}, Value extends {}, Context = unknown>(
  options: LRUCache.Options<Key, Value, Context> & {
    fetchMethod: LRUCache.Fetcher<Key, Value, Context>
  },
): LRUCache<Key, Value, Context> {
  // What is evicted while it is read still reaches those who wait for it.
  const cache = new LRUCache({ ...options, ignoreFetchAbort: true })
  const forceFetch = cache.forceFetch.bind(cache)
  // Also when it has the value: a test must fail whatever an earlier one has read.
  const guardedFetch = (...of: Parameters<typeof forceFetch>) => {
    refuseWhileHolding('A cache was asked')
    return forceFetch(...of)
  }
  return Object.assign(cache, { forceFetch: guardedFetch as typeof forceFetch })
}
