import { expect, it } from 'vitest'
import { evictOldVersions } from '../../src/market/market-query/evict-old-versions.ts'

it('a cache keeps the answers of the newest edition only', () => {
  const cache = new Map([
    ['1 a', 'first'],
    ['12 a', 'twelfth'],
  ])
  const keep = evictOldVersions(cache)
  keep('1')
  expect([...cache.keys()]).toEqual(['1 a'])
  cache.set('1 b', 'second')
  keep('1')
  expect(cache.size).toBe(2)
  keep('2')
  expect(cache.size).toBe(0)
})
