import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishDays } from '../../ingest/publish-days.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { addSeen, dailyMarket, day } from '../daily-market.ts'
import { expectedChurn } from '../oracle/churn.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const seen = dailyMarket({ seed: 8, start, days: 70, machines: 60, holes: [30] })

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await addSeen(server, seen)
  await publishDays(server)
})
afterAll(() => server?.close())

const ask = (query: string, key?: string) => server.get(`/api/v0/metrics/gpu/churn?${query}`, key)

const near = (value: unknown): unknown => {
  if (typeof value === 'number') return expect.closeTo(value, 9)
  if (Array.isArray(value)) return value.map(near)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, near(inner)]))
}

describe('churn', () => {
  it.each([
    [0, 70],
    [20, 50],
    [12, 13],
    [60, 70],
  ])('every field of days %s to %s equals the plain definition', async (first, last) => {
    const [from, to] = [start + first * day, start + last * day]
    const { body } = await ask(`gpu_name=all&start=${from}&end=${to}`)
    for (const [gpu, found] of Object.entries((body as { gpus: Record<string, unknown> }).gpus))
      expect(found, gpu).toEqual(near(expectedChurn(seen, gpu, { from, to })))
  })

  it('is of use: machines come, leave and stay', () => {
    const { arrived, left, life } = expectedChurn(seen, 'RTX 4090', { from: start, to: start + 70 * day })
    const sum = (values: readonly (number | null)[]) =>
      values.reduce<number>((all, one) => all + (one ?? 0), 0)
    expect(sum(arrived)).toBeGreaterThan(5)
    expect(sum(left)).toBeGreaterThan(5)
    expect(life?.left).toBeGreaterThan(3)
  })

  it('answers unknown names, wrong input and hosts without machines like the history', async () => {
    expect((await ask('gpu_name=RTX_9999')).body).toMatchObject({
      gpus: { 'RTX 9999': { timestamps: [], life: { machines: 0, days: [] } } },
    })
    expect(await ask('start=2000&end=1000')).toMatchObject({
      status: 400,
      body: { msg: 'start must be <= end' },
    })
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    expect((await ask('', key)).body).toEqual({ success: true, needs_machine: true, gpus: {} })
  })
})
