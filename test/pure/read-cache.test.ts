import { expect, it } from 'vitest'
import { openReadCache } from '../../platform/read-cache.ts'

it('all who ask for more than a cache holds get their answers, and each is read once', async () => {
  const reads: number[] = []
  const cache = openReadCache<number, string>({
    max: 2,
    async fetchMethod(key) {
      reads.push(key)
      await new Promise(setImmediate)
      return `value ${key}`
    },
  })
  const keys = [1, 2, 3, 4, 5]
  const asked = [...keys, 5].map((key) => cache.forceFetch(key))
  expect(await Promise.all(asked)).toEqual([...keys, 5].map((key) => `value ${key}`))
  expect(reads).toEqual(keys)
})
