import { afterAll, beforeAll, expect, it } from 'vitest'
import { hasRedis } from '../../debian.ts'
import { dependencies, openStopSite, type Stop, stopWhileAway } from '../../properties/stops.ts'

// A stop that never ended would reach the time limit of its test.
let site: Awaited<ReturnType<typeof openStopSite>>
beforeAll(async () => {
  if (hasRedis) site = await openStopSite()
})
afterAll(() => site?.close())

const stops = dependencies.flatMap((what) =>
  (['refused', 'silent'] as const).flatMap((how) =>
    (['before', 'during'] as const).map((when): Stop => ({ what, how, when })),
  ),
)
it.skipIf(!hasRedis).each(stops)('a stop ends while $what is $how from $when it on', async (stop) => {
  const { code, output } = await stopWhileAway(site, stop)
  expect([0, 1], output).toContain(code)
})
