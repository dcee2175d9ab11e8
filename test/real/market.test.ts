import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { one } from '../../platform/stores/rows.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

// The example of docs/numbers.md: an hour with two slots and two machines.
const hour = 1_749_999_600
const slots = [hour, hour + 1800] as const
const machine = { gpu: 'L4', verified: true, hosting: 'community' as const, tflops: 30, dlperf: 60 }
const seen: MachineAtSlot[] = slots.flatMap((slot, index) => [
  {
    ...machine,
    slot,
    machine: 1,
    rig: 4,
    free: 1 + index,
    price: 2.4,
    rented: [{ gpus: 3 - index, price: 2 }],
  },
  { ...machine, slot, machine: 2, rig: 8, free: 8, price: 3, rented: [] },
  // Four unverified machines of four hosts are half rented, and a verified one is free.
  ...[11, 12, 13, 14, 15].map((id) => ({
    ...machine,
    gpu: 'T4',
    verified: id === 15,
    slot,
    machine: id,
    host: id,
    rig: 4,
    price: 1,
    ...(id === 15 ? { free: 4, rented: [] } : { free: 2, rented: [{ gpus: 2, price: 1 }] }),
  })),
])
const range = `gpu_name=L4&start=${hour}&end=${hour + 3600}`
const endpoints = ['current', 'revenue', 'depth', 'prices', 'availability', 'dispersion', 'thin']

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  for (const slot of slots) {
    await spool(
      server.postgres,
      slot,
      seen.filter((one) => one.slot === slot),
    )
    await loadAll(server)
  }
})
afterAll(() => server?.close())

const ask = (query: string, key?: string) => server.get(`/api/v0/metrics/gpu/${query}`, key)
const answer = async (query: string) => (await ask(query)).body as { gpus: Record<string, unknown> }

describe('the example of the documentation', () => {
  it('revenue', async () => {
    const { gpus } = await answer(`revenue?${range}`)
    expect(gpus).toEqual({
      L4: {
        timestamps: [hour],
        revpag: [null],
        adr: [null],
        occupancy: [5 / 24],
        reason: ['few_hosts'],
        slots: [2],
      },
    })
  })

  it('depth', async () => {
    const cheapest = { average_price: 2.7, marginal_price: 3 }
    const rented = { price: [], gpus: [], unpriced: 2, reason: 'few_hosts' }
    const book = { price: [2.4, 3], available: [2, 8], rented }
    expect(await answer('depth?gpu_name=l4&gpus=4')).toMatchObject({
      slot: slots[1],
      gpus: { L4: { ...book, cheapest } },
    })
    expect((await answer('depth?gpu_name=L4&per_machine=4')).gpus).toEqual({
      L4: { price: [3], available: [8], rented, cheapest: null },
    })
    expect((await answer('depth?gpu_name=L4&gpus=11')).gpus).toEqual({ L4: { ...book, cheapest: null } })
  })

  it('the mean depth of a day', async () => {
    expect(await answer('depth?gpu_name=L4&days=1')).toMatchObject({
      slot: slots[1],
      gpus: {
        L4: {
          price: [2.4, 3],
          available: [1.5, 8],
          rented: { price: [], gpus: [], unpriced: 2.5, reason: 'few_hosts' },
        },
      },
    })
  })

  it('depth at an earlier time', async () => {
    const first = { price: [2.4, 3], available: [1, 8], rented: { gpus: [], unpriced: 3 }, cheapest: null }
    expect(await answer(`depth?gpu_name=L4&at=${slots[1] - 1}`)).toMatchObject({
      slot: slots[0],
      gpus: { L4: first },
    })
    expect(await answer(`depth?gpu_name=L4&at=${hour - 1}`)).toMatchObject({
      slot: null,
      gpus: { L4: { price: [] } },
    })
  })

  it('prices', async () => {
    const { gpus } = await answer(`prices?${range}&bins=10`)
    expect(gpus).toEqual({
      L4: {
        timestamps: [hour],
        slots: [2],
        edges: [2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3, 3.1],
        available: [[3], [0], [0], [0], [0], [0], [16]],
        rented: [[null], [null], [null], [null], [null], [null], [null]],
        rented_unpriced: [5],
        reason: ['few_hosts'],
      },
    })
  })

  it('availability', async () => {
    const duration = new Array(100).fill(3)
    expect((await answer(`availability?${range}&gpus=4&price=2.50`)).gpus).toEqual({
      L4: { hours: 1, share: 0, duration },
    })
    expect((await answer(`availability?${range}&gpus=4&price=2.50&duration=no`)).gpus).toEqual({
      L4: { hours: 1, share: 0, duration: [] },
    })
    expect((await answer(`availability?${range}&gpus=9&price=3&duration=no`)).gpus).toEqual({
      L4: { hours: 1, share: 1, duration: [] },
    })
    expect((await answer(`availability?${range}&gpus=9&price=3`)).gpus).toMatchObject({ L4: { share: 1 } })
    expect((await answer(`availability?${range}&gpus=10`)).gpus).toEqual({
      L4: { hours: 1, share: null, duration: new Array(100).fill(null) },
    })
  })

  it('dispersion', async () => {
    const { gpus } = await answer(`dispersion?${range}`)
    expect(gpus).toEqual({
      L4: {
        timestamps: [hour],
        dispersion: [expect.closeTo(0.2)],
        volatility_24h: [null],
        volatility_7d: [null],
      },
    })
  })

  it('thin', async () => {
    const { gpus } = await answer(`thin?${range}&step=3600`)
    expect(gpus).toEqual({ L4: { timestamps: [hour], rented_thin: [true], avail_thin: [true] } })
  })

  it('current usage counts unverified machines as well', async () => {
    expect((await answer('current?verified=all')).gpus).toMatchObject([
      { gpu_name: 'T4', total_gpus: 20, rented_unverified_gpus: 8, usage: 40, usage_30d: 40 },
      { gpu_name: 'L4' },
    ])
  })

  it('prices are thin below five machines, however many hosts they are of', async () => {
    const { gpus } = await answer(`thin?gpu_name=T4&verified=all&start=${hour}&end=${hour + 3600}&step=3600`)
    expect(gpus).toEqual({ T4: { timestamps: [hour], rented_thin: [true], avail_thin: [false] } })
  })

  it('current', async () => {
    const body = await answer('current')
    expect(body).toMatchObject({
      slot: slots[1],
      gpus: [
        {
          gpu_name: 'L4',
          total: 2,
          total_gpus: 12,
          available_gpus: 10,
          bucket_size: 1,
          price_p10: 2.4,
          price_p25: 3,
          price_median: 3,
          price_p90: 3,
          rented_median: null,
          usage: 100 / 6,
          price_change_7d: null,
          tflops_per_dollar: 10,
          price_thin: true,
          rented_thin: true,
        },
      ],
    })
    // A rig size with fewer than ten GPUs is left out.
    expect((await answer('current?num_gpus=8')).gpus).toEqual([])
  })
})

describe('access of callers', () => {
  it('a host without active machines gets a marked answer', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    for (const name of endpoints) {
      const { body } = await ask(name, key)
      const gpus = name === 'current' ? [] : {}
      expect(body, name).toMatchObject({ success: true, needs_machine: true, gpus })
    }
  })

  it('neither host nor admin, or a key without machine_read, is 403', async () => {
    const { key: renter } = await createKeyFor(server.postgres, { role: 'user' })
    const { rows } = await server.postgres.query<{ id: number }>('SELECT id FROM accounts WHERE is_admin')
    const permissions = { api: { instance_read: {} } }
    const { key: narrow } = await createKey(server.postgres, { accountId: one(rows).id, permissions })
    for (const name of endpoints)
      for (const key of [renter, narrow]) expect((await ask(name, key)).status, name).toBe(403)
  })
})

describe('input', () => {
  it.each([
    ['current?verified=maybe', "verified must be 'yes', 'no', or 'all'"],
    ['current?hosting_type=x', "hosting_type must be 'all', 'secure_cloud', or 'community'"],
    ['current?num_gpus=0', "num_gpus must be 'all' or a number of GPUs"],
    ['revenue?gpu_name=', 'gpu_name is required'],
    ['revenue?step=1.5', 'start, end, and step must be integers'],
    ['prices?start=2000&end=1000', 'start must be <= end'],
    ['prices?bins=0', 'bins must be between 1 and 200'],
    ['prices?bins=201', 'bins must be between 1 and 200'],
    ['availability?start=2000&end=1000', 'start must be <= end'],
    ['availability?gpus=0', 'gpus must be between 1 and 1000000'],
    ['availability?duration=no', 'duration=no needs a price'],
    ['availability?price=1&duration=maybe', 'duration must be yes or no'],
    ['availability?price=-1', 'price must be USD per GPU-hour, such as 2.50'],
    ['availability?price=1e9', 'price must be USD per GPU-hour, such as 2.50'],
    ['depth?at=-1', 'at must be unix seconds'],
    ['depth?at=99999999999', 'at must be unix seconds'],
    ['depth?gpus=x', 'gpus must be an integer'],
    ['prices?bins=', 'bins must be an integer'],
    ['depth?gpus=0', 'gpus must be between 1 and 1000000'],
    ['depth?per_machine=0', 'per_machine must be between 1 and 1000000'],
    ['depth?days=0', 'days must be between 1 and 30'],
    ['depth?days=31', 'days must be between 1 and 30'],
    ['depth?days=7&gpus=8', 'days cannot be combined with gpus or per_machine, which apply to one snapshot'],
    [
      'depth?days=7&per_machine=2',
      'days cannot be combined with gpus or per_machine, which apply to one snapshot',
    ],
  ])('%s is 400', async (query, msg) => {
    expect(await ask(query)).toMatchObject({ status: 400, body: { error: 'invalid_args', msg } })
  })

  it.each(['revenue?step=0', 'availability?price='])('%s is 400, too', async (query) => {
    expect((await ask(query)).status).toBe(400)
  })

  it('unknown names have empty answers, whatever they are called', async () => {
    const names = ['RTX 9999', 'proto', 'constructor']
    for (const name of endpoints.slice(1)) {
      const { gpus } = await answer(`${name}?gpu_name=${names.join()}&start=${hour}&end=${hour + 3600}`)
      expect(Object.keys(gpus), name).toEqual(names)
      const values = Object.values(gpus as Record<string, object>).flatMap(Object.values)
      const none = { price: [], gpus: [], unpriced: 0, reason: null }
      for (const value of values) expect([[], null, 0, none], name).toContainEqual(value)
    }
  })

  it('any range is answered', async () => {
    for (const name of ['revenue', 'prices', 'availability']) {
      const { status } = await ask(`${name}?gpu_name=all&start=0&end=4102444800&step=1`)
      expect(status, name).toBe(200)
    }
    const { gpus } = await answer('availability?gpu_name=L4&start=0&end=4102444800')
    expect(gpus).toMatchObject({ L4: { hours: 1 } })
  })
})

it('an ETag makes a repeated question a 304', async () => {
  for (const name of endpoints) {
    const url = `/api/v0/metrics/gpu/${name}`
    const headers = { authorization: `Bearer ${server.adminKey}` }
    const first = await server.app.inject({ url, headers })
    expect(first.headers).toMatchObject({
      'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
      'rackrate-newest-slot': `${slots[1]}`,
    })
    const again = await server.app.inject({
      url,
      headers: { ...headers, 'if-none-match': String(first.headers.etag) },
    })
    expect([again.statusCode, again.body], name).toEqual([304, ''])
  }
})
