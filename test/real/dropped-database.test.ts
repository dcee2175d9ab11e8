import { afterAll, beforeAll, expect, it } from 'vitest'
import { execute } from '../../platform/stores/clickhouse.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
})
afterAll(() => server?.close())

it('a ClickHouse without the database is named by /readyz, and costs no other answer', async () => {
  const { database } = server.clickhouseAddress
  await execute(server.clickhouse, `DROP DATABASE ${database}`)
  const history = '/api/v0/metrics/gpu/history?gpu_name=all'
  expect(await server.get(history)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { success: false, error: 'unavailable' },
  })
  const reason =
    'ClickHouse does not have the database. Restore a backup, or create it with `rackrate migrate`.'
  expect(await server.get('/readyz')).toMatchObject({
    status: 503,
    body: { dependencies: { postgres: { ok: true }, clickhouse: { ok: false, reason } } },
  })
  expect((await server.get('/api/v0/users/current')).status).toBe(200)
})
