import { afterAll, expect, it } from 'vitest'
import { openOperations } from '../operations.ts'
import { stormWrites } from '../properties/storm.ts'

const opened = await openOperations({ parallelRequests: 10 })
afterAll(() => opened.server.close())

it('every writing operation handles 12 concurrent requests beside another account', async () => {
  const storms = await stormWrites(opened, 12)
  const writing = opened.operations.filter(({ method }) => method !== 'GET')
  expect(storms.map(({ name }) => name)).toEqual(writing.map(({ name }) => name))
  // All storms together, since the read beside a short one may end after it.
  expect(storms.flatMap(({ reads }) => reads).length).toBeGreaterThan(2 * storms.length)
})
