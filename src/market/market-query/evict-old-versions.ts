interface Cache {
  keys(): Iterable<string>
  delete(key: string): boolean
}

/**
 * Evicts entries of other versions than the requested one: older ones are never requested again, and would fill the cache. Keys
 * begin with their version and a space. Entries that are still being read stay.
 */
export function evictOldVersions(cache: Cache): (edition: string) => void {
  let newest = ''
  return (edition) => {
    if (edition === newest) return
    newest = edition
    for (const key of [...cache.keys()]) if (!key.startsWith(`${edition} `)) cache.delete(key)
  }
}
