import { LRUCache } from 'lru-cache'

/** A cache that reads what it lacks, once for all who ask for it. A failure is not kept. */
export const openReadCache = <Key extends {}, Value extends {}, Context = unknown>(
  options: LRUCache.Options<Key, Value, Context> & {
    fetchMethod: LRUCache.Fetcher<Key, Value, Context>
  },
): LRUCache<Key, Value, Context> =>
  // What is evicted while it is read still reaches those who wait for it.
  new LRUCache({ ...options, ignoreFetchAbort: true })
