import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { machinesAnswer } from '../../contract/machines.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

type Answer = (typeof machinesAnswer)['_output']
interface ObservedRow {
  gpu_name: string
  num_gpus: number
  gpus: number
  rented: boolean
  verified: boolean
  hosting_type: string
  price: number
}

let server: TestServer
let hostKey: string
let seen: ObservedRow[]
let slot: number

beforeAll(async () => {
  server = await startServer()
  const { postgres, clickhouse } = server
  await smallMarket(postgres, 120)
  await postgres.query(`UPDATE gpu_listings SET ended_at = rackrate_now() WHERE machine_id = 7`)
  await postgres.query(`UPDATE machines SET online = false WHERE id = 9`)
  await postgres.query(`UPDATE machines SET removed_at = rackrate_now() WHERE id = 11`)
  slot = await currentSlot(postgres, 300)
  await capture(postgres, slot)
  await loadAll({ postgres, clickhouse })
  hostKey = (await createKey(postgres, { accountId: 1001 })).key
  seen = await selectRows<ObservedRow>(
    clickhouse,
    'SELECT gpu_name, num_gpus, gpus, rented, verified, hosting_type, toFloat64(price) AS price FROM observations',
  )
})
afterAll(() => server.close())

const ask = async (query: string, key = hostKey) =>
  (await server.get(`/api/v0/metrics/machines?limit=1000&${query.slice(1)}`, key)).body as Answer

/** The definition: of the available GPUs of that name, the share that costs less. */
function cheaper(gpuName: string, price: number, passes: (seen: ObservedRow) => boolean) {
  const market = seen.filter((one) => one.gpu_name === gpuName && !one.rented && passes(one))
  const gpusOf = (rows: ObservedRow[]) => rows.reduce((sum, { gpus }) => sum + gpus, 0)
  return market.length === 0 ? null : gpusOf(market.filter((one) => one.price < price)) / gpusOf(market)
}

describe('own machines in the market', () => {
  it.each([
    ['?verified=all', () => true],
    ['', ({ verified }: ObservedRow) => verified],
    [
      '?verified=no&hosting_type=community',
      (one: ObservedRow) => !one.verified && one.hosting_type === 'community',
    ],
    ['?verified=all&num_gpus=4', (one: ObservedRow) => one.num_gpus === 4],
    ['?verified=all&num_gpus=2', () => false],
  ])('stand where the definition puts them%s', async (query, passes) => {
    const { machines, slot: answered } = await ask(query)
    expect(answered).toBe(slot)
    expect(machines).toHaveLength(119)
    for (const { id, gpu_name, price, avail_percentile, rented_percentile } of machines) {
      const share = price === null ? null : cheaper(gpu_name, price, passes)
      // All machines are of one host, so hosts see no price of rented GPUs. test/real/privacy.test.ts has a market of many.
      const expected = [id, share === null ? null : expect.closeTo(share, 12), null]
      expect([id, avail_percentile, rented_percentile]).toEqual(expected)
    }
  })

  it('answer many filters at once, more than are remembered', async () => {
    const asked = Array.from({ length: 80 }, (_, index) =>
      server.get(`/api/v0/metrics/machines?figures=no&verified=all&num_gpus=${index + 100}`, hostKey),
    )
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  })

  it('are listed as they are, without those removed', async () => {
    const { machines } = await ask('?verified=all')
    const byId = new Map(machines.map((machine) => [machine.id, machine]))
    expect(byId.has(11)).toBe(false)
    expect(byId.get(7)).toMatchObject({ price: null, online: true, rented_gpus: 0, rented_price: null })
    expect(byId.get(9)).toMatchObject({ online: false })
    expect(byId.get(4)).toEqual({
      id: 4,
      gpu_name: 'RTX 3090',
      num_gpus: 4,
      verified: false,
      hosting_type: 'community',
      gpu_memory: 24,
      online: true,
      price: 0.24,
      renter_price: 0.24,
      host_share: null,
      rented_gpus: 4,
      rented_price: 0.3,
      avail_percentile: expect.any(Number),
      rented_percentile: null,
      terms: null,
      country: null,
      marketplace: null,
      figures: null,
    })
  })

  it('come in pages, with figures when a page is not too long', async () => {
    const { machines: all } = await ask('')
    const found: number[] = []
    for (let after = ''; ; ) {
      const path = `/api/v0/metrics/machines?limit=50${after}`
      const { machines, next } = (await server.get(path, hostKey)).body as Answer
      found.push(...machines.map(({ id }) => id))
      expect(machines.every(({ figures }) => figures !== null)).toBe(true)
      if (next === null) break
      after = `&after=${next}`
    }
    expect(found).toEqual(all.map(({ id }) => id))
    const { machines: bare } = (await server.get('/api/v0/metrics/machines?limit=50&figures=no', hostKey))
      .body as Answer
    expect([bare.length, bare.every(({ figures }) => figures === null)]).toEqual([50, true])
    const { machines: whole } = (await server.get('/api/v0/metrics/machines?limit=20', hostKey))
      .body as Answer
    const { machines: brief } = (await server.get('/api/v0/metrics/machines?limit=20&figures=brief', hostKey))
      .body as Answer
    expect(brief.map(({ figures }) => figures?.advice)).toEqual(whole.map(({ figures }) => figures?.advice))
    for (const [index, { price, figures }] of brief.entries()) {
      const prices = [price, figures?.advice.price]
      const curve = whole[index]?.figures?.curve.filter((point) => prices.includes(point.price))
      expect(figures?.curve).toEqual(curve)
    }
    expect(2 * JSON.stringify(brief).length).toBeLessThan(JSON.stringify(whole).length)
    const one = (await server.get(`/api/v0/metrics/machines?id=${all.at(-1)?.id}`, hostKey)).body as Answer
    expect(one.machines.map(({ id }) => id)).toEqual([all.at(-1)?.id])
    expect(one.next).toBeNull()
    // A removed machine, and one of another account, are as one that does not exist.
    for (const [id, key] of [
      ['11', hostKey],
      ['999999', hostKey],
      ['1', server.adminKey],
    ])
      expect((await server.get(`/api/v0/metrics/machines?id=${id}`, key)).body).toMatchObject({
        machines: [],
      })
    expect((await server.get('/api/v0/metrics/machines?id=0', hostKey)).status).toBe(400)
    expect((await server.get('/api/v0/metrics/machines?limit=1001', hostKey)).status).toBe(400)
    expect((await server.get('/api/v0/metrics/machines?after=999999', hostKey)).body).toMatchObject({
      machines: [],
      next: null,
    })
  })

  it('are hidden from other accounts', async () => {
    expect((await ask('', server.adminKey)).machines).toEqual([])
    const { key } = await createKey(server.postgres, { accountId: 1002 })
    expect((await server.get('/api/v0/metrics/machines', key)).status).toBe(403)
  })

  it('take the messages of the history for wrong filters', async () => {
    const { status, body } = await server.get('/api/v0/metrics/machines?verified=maybe', hostKey)
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        error: 'invalid_args',
        msg: expect.stringContaining("verified must be 'yes', 'no', or 'all'"),
      },
    ])
  })
})

it('GET /api/v0/users/current returns the account of the key', async () => {
  const { body } = await server.get('/api/v0/users/current', hostKey)
  expect(body).toMatchObject({
    id: 1001,
    username: 'host',
    kind: 'person',
    email: null,
    is_host: true,
    is_admin: false,
    has_active_machine: true,
    open_data: null,
    key_expires_at: null,
  })
})
