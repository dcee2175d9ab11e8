interface Cache {
  keys(): Iterable<string>
  delete(key: string): boolean
}

/**
 * Forgets what a cache has of other editions than the one that is asked for: nobody asks for an older one again, and it would fill the cache.
 * Keys begin with their edition and a space. What is still being read stays.
 */
export function evictOldVersions(cache: Cache): (edition: string) => void {
  let newest = ''
  return (edition) => {
    if (edition === newest) return
    newest = edition
    for (const key of [...cache.keys()]) if (!key.startsWith(`${edition} `)) cache.delete(key)
  }
}
