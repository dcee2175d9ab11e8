import { afterAll, beforeAll, expect, it } from 'vitest'
import { hasRedis } from '../debian.ts'
import { openStopSite, type Stop, stopWhileAway } from '../properties/stops.ts'

// A stop that never ended would reach the time limit of its test. test/all/kills/stops.test.ts has all servers.
let site: Awaited<ReturnType<typeof openStopSite>>
beforeAll(async () => {
  if (hasRedis) site = await openStopSite()
})
afterAll(() => site?.close())

const stops: Stop[] = [
  { what: 'redis', how: 'refused', when: 'before' },
  { what: 'clickhouse', how: 'silent', when: 'during' },
]
it.skipIf(!hasRedis).each(stops)('a stop ends while $what is $how from $when it on', async (stop) => {
  const { code, output } = await stopWhileAway(site, stop)
  expect([0, 1], output).toContain(code)
})
