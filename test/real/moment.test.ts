import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
})
afterAll(() => server?.close())

const slot = 1_700_000_100
const enter = (source: string, revision: number) =>
  server.clickhouse.insert({
    table: 'slots',
    values: [{ slot: slot + 300 * revision, source, observations: 0, ready: true, revision }],
    format: 'JSONEachRow',
  })

const paths = ['machines', 'gpu/names', 'gpu/current', 'gpu/history?start=0&end=4000000000']

it.each(paths)('%s has its age, and no mark of a simulated market without one', async (path) => {
  await enter('market', 1)
  const { status, headers } = await server.get(`/api/v0/metrics/${path}`)
  expect(status).toBe(200)
  expect(headers['rackrate-newest-slot']).toBe(`${slot + 300}`)
  expect(Number(headers['rackrate-data-age'])).toBeGreaterThan(0)
  expect(headers['rackrate-simulated']).toBeUndefined()
})

it.each(paths)('%s has the mark of a simulated market', async (path) => {
  await enter('simulated', 2)
  const { headers } = await server.get(`/api/v0/metrics/${path}`)
  expect(headers).toMatchObject({
    'rackrate-newest-slot': `${slot + 600}`,
    'rackrate-simulated': 'true',
  })
})
