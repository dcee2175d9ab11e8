import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { nothingWrong, openTwoSources } from '../../two-sources.ts'

let sources: Awaited<ReturnType<typeof openTwoSources>>
beforeAll(async () => {
  sources = await openTwoSources()
})
afterAll(() => sources?.close())

it('two sources both have each slot once, however often the worker is killed', async () => {
  const { databases, standIn, other } = sources
  const slots = Array.from({ length: 6 }, (_, index) => index)
  for (const index of slots) await sources.take(index)
  const env = {
    ...environmentOf(databases.queues, databases.clickhouseAddress),
    SNAPSHOT_INTERVAL: '86400',
    SOURCES: `exporter=${standIn.url}\nvast=${other.url}`,
  }
  for (const least of [1, 4, 7]) {
    const worker = spawnRackrate(['worker'], env)
    try {
      await vi.waitFor(
        async () => {
          expect((await sources.slots()).flat().length, worker.output()).toBeGreaterThanOrEqual(least)
        },
        { timeout: 120_000, interval: 20 },
      )
    } finally {
      worker.kill('SIGKILL')
      await exited(worker)
    }
  }
  await sources.load()
  // Workers may have taken the present slot as well, so only the first slots are compared.
  for (const taken of await sources.slots()) expect(taken.filter((index) => index <= 5)).toEqual(slots)
  expect(await sources.checks()).toEqual(nothingWrong)
})
