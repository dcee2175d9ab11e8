import { LRUCache } from 'lru-cache'
import { refuseWhileHolding } from './stores/held-sessions.ts'

/** A cache that reads a missing value once for all concurrent callers. Failures are not cached. */
export function openReadCache<Key extends {}, Value extends {}, Context = unknown>(
  options: LRUCache.Options<Key, Value, Context> & {
    fetchMethod: LRUCache.Fetcher<Key, Value, Context>
  },
): LRUCache<Key, Value, Context> {
  // A value that is evicted while it is read still reaches its waiting callers.
  const cache = new LRUCache({ ...options, ignoreFetchAbort: true })
  const forceFetch = cache.forceFetch.bind(cache)
  // The check also runs when the value is cached: a test must fail regardless of earlier reads.
  const guardedFetch = (...of: Parameters<typeof forceFetch>) => {
    refuseWhileHolding('A cache was read')
    return forceFetch(...of)
  }
  return Object.assign(cache, { forceFetch: guardedFetch as typeof forceFetch })
}
