import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let other: number
let offline: number
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
  const add = async (online: boolean) =>
    (
      await server.postgres.query<{ id: number }>(
        `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, disk_space, online) VALUES ($1, 'H100', 1, 80000, 100, $2) RETURNING id`,
        [world.host_id, online],
      )
    ).rows[0]?.id ?? 0
  other = await add(true)
  offline = await add(false)
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.postgres.query('DELETE FROM volume_contracts')
  await server.postgres.query('DELETE FROM volume_listings')
})

const post = (body: unknown, key = world.keys.host) => server.send('POST', '/api/v0/volumes/', key, body)
const listings = async () =>
  (
    await server.postgres.query<{
      machine_id: number
      size: number
      price_disk: number
      hidden: boolean
      end_date: Date
    }>(
      'SELECT machine_id, size, price_disk, hidden, end_date FROM volume_listings WHERE ended_at IS NULL ORDER BY machine_id',
    )
  ).rows
const day = 86_400
const now = () => server.clock.now()

/** A volume that the renter has on the machine. */
const rentVolume = async (price: number, endsIn: number, size = 10) => {
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO volume_contracts (listing_id, machine_id, account_id, size, price_disk, ends_at)
     SELECT id, machine_id, $1, $2, $3, rackrate_now() + make_interval(secs => $4) FROM volume_listings WHERE ended_at IS NULL RETURNING id`,
    [world.renter_id, size, price, endsIn],
  )
  return rows[0]?.id
}

describe('POST volumes', () => {
  it('lists with the defaults, then updates', async () => {
    const { machine_id, host_id } = world
    const first = await post({ machine: machine_id, hidden_listing: true, note: { any: 'thing' } })
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        you_sent: { machine: machine_id, hidden_listing: true, note: { any: 'thing' } },
        results: [
          {
            machine_id,
            user_id: host_id,
            extended: 0,
            new_contracts: [{ id: expect.any(Number), size: 15 }],
            upd_contracts: [],
          },
        ],
      },
    })
    const [listed] = await listings()
    expect(listed).toMatchObject({ machine_id, size: 15, price_disk: 0.1, hidden: true })
    expect((listed?.end_date.getTime() ?? 0) / 1000 - now()).toBeGreaterThan(88 * day)
    const id = (first.body as { results: { new_contracts: { id: number }[] }[] }).results[0]?.new_contracts[0]
      ?.id
    const second = await post({
      machine: `${machine_id}`,
      size: 20,
      price_disk: 0.2,
      end_date: now() + 5 * day + 0.5,
    })
    expect(second.body).toMatchObject({
      you_sent: { machine: `${machine_id}` },
      results: [{ machine_id, extended: 0, new_contracts: [], upd_contracts: [id] }],
    })
    const [changed] = await listings()
    expect(changed).toMatchObject({ size: 20, price_disk: 0.2, hidden: true })
    // Values that a later call leaves out stay unchanged.
    await post({ machine: machine_id, hidden_listing: false })
    expect(await listings()).toEqual([{ ...changed, hidden: false }])
  })

  it('takes several machines in either field, the plural first', async () => {
    const { machine_id } = world
    const both = await post({ machine: [machine_id, `${other}`, machine_id] })
    expect(
      (both.body as { results: { machine_id: number }[] }).results.map((result) => result.machine_id),
    ).toEqual([machine_id, other])
    const plural = await post({ machine: offline, machines: [other] })
    expect(plural.body).toMatchObject({ results: [{ machine_id: other, new_contracts: [] }] })
  })

  it('a listing whose time is over is not live', async () => {
    await post({ machine: other })
    await server.postgres.query(`UPDATE volume_listings SET end_date = rackrate_now() - interval '1 second'`)
    expect((await post({ machine: other })).body).toMatchObject({
      results: [{ new_contracts: [{}], upd_contracts: [] }],
    })
  })

  it('extends running contracts to a later end, except at a raised price', async () => {
    await post({ machine: other, price_disk: 0.1 })
    const same = await rentVolume(0.1, day)
    const cheaper = await rentVolume(0.05, day)
    const long = await rentVolume(0.1, 100 * day)
    const end = Math.floor(now() + 30 * day)
    expect((await post({ machine: other, price_disk: 0.1, end_date: end })).body).toMatchObject({
      results: [{ extended: 1 }],
    })
    const ends = async () =>
      Object.fromEntries(
        (
          await server.postgres.query<{ id: number; at: number }>(
            'SELECT id, extract(epoch FROM ends_at)::float8 AS at FROM volume_contracts',
          )
        ).rows.map(({ id, at }) => [id, at]),
      )
    const after = await ends()
    expect(after[same ?? 0]).toBe(end)
    expect(after[cheaper ?? 0]).toBeLessThan(now() + 2 * day)
    expect(after[long ?? 0]).toBeGreaterThan(now() + 99 * day)
    expect((await post({ machine: other, price_disk: 0.11, end_date: end + day })).body).toMatchObject({
      results: [{ extended: 0 }],
    })
    expect((await post({ machine: other, price_disk: 0.04, end_date: end + day })).body).toMatchObject({
      results: [{ extended: 2 }],
    })
    expect((await post({ machine: other, price_disk: 0.04, end_date: end })).body).toMatchObject({
      results: [{ extended: 0 }],
    })
  })

  it('a volume cannot become smaller than what is rented of it', async () => {
    await post({ machine: other, size: 100 })
    await rentVolume(0.1, day, 30)
    expect(await post({ machine: other, size: 29 })).toMatchObject({
      status: 422,
      body: {
        error: 'invalid_args',
        msg: `Invalid size: 30 GB of the volume on machine ${other} are rented`,
      },
    })
    expect(await listings()).toMatchObject([{ size: 100 }])
    expect((await post({ machine: other, size: 30 })).status).toBe(200)
    expect((await post({ machine: other, price_disk: 0.2 })).status).toBe(200)
  })

  it('only rented space is used up', async () => {
    expect((await post({ machine: other, size: 100 })).status).toBe(200)
    expect((await post({ machine: other, size: 101 })).status).toBe(422)
    await rentVolume(0.1, day, 30)
    // Space of the offer itself is available to the same call again; space of an earlier offer is used up.
    expect((await post({ machine: other, size: 100 })).status).toBe(200)
    await server.postgres.query('UPDATE volume_listings SET ended_at = rackrate_now()')
    expect((await post({ machine: other, size: 71 })).status).toBe(422)
    expect((await post({ machine: other, size: 70 })).status).toBe(200)
    // 500 GB, of which the renter's instance has 40
    expect((await post({ machine: world.machine_id, size: 461 })).status).toBe(422)
    expect((await post({ machine: world.machine_id, size: 460 })).status).toBe(200)
  })

  it.each([
    [{}, 400, 'Invalid machine id'],
    [{ machine: null }, 400, 'Invalid machine id'],
    [{ machines: [] }, 400, 'Invalid machine id'],
    [{ machine: 'x' }, 400, 'Invalid machine id'],
    [{ machine: -1 }, 400, 'Invalid machine id'],
    [{ machine: 1.5 }, 400, 'Invalid machine id'],
    [{ machine: 2 ** 53 }, 400, 'Invalid machine id'],
    [{ machines: [1, {}] }, 400, 'Invalid machine id'],
    [{ machines: [1, "1'; DROP TABLE machines"] }, 400, 'Invalid machine id'],
    [{ machine: 2_000_000_000 }, 400, 'No such machine(s) for your account'],
    [{ machine: 1, hidden_listing: 'yes' }, 400, expect.any(String)],
    [{ machine: 1, size: 0 }, 422, expect.stringContaining('size')],
    [{ machine: 1, size: 1.5 }, 422, expect.stringContaining('size')],
    [{ machine: 1, size: '15' }, 422, expect.stringContaining('size')],
    [{ machine: 1, price_disk: -1 }, 422, expect.stringContaining('price')],
    [{ machine: 1, price_disk: 'free' }, 422, expect.stringContaining('price')],
    [{ machine: 1, end_date: 1000 }, 422, expect.stringContaining('end_date')],
    [{ machine: 1, end_date: 1e300 }, 422, expect.stringContaining('end_date')],
    [[1], 400, expect.any(String)],
  ])('refuses %j', async (body, status, msg) => {
    expect(await post(body)).toMatchObject({
      status,
      body: { success: false, error: 'invalid_args', msg },
    })
    expect(await listings()).toEqual([])
  })

  it('all machines or none', async () => {
    const strange = await post({ machines: [other, 999_999] })
    expect(strange).toMatchObject({ status: 400, body: { msg: 'No such machine(s) for your account' } })
    expect(await post({ machines: [other, offline] })).toMatchObject({
      status: 402,
      body: {
        success: false,
        error: 'machine_offline',
        msg: 'error: can only create asks for an online machine.',
      },
    })
    expect((await post({ machines: [world.machine_id, other], size: 200 })).status).toBe(422)
    expect(await listings()).toEqual([])
    expect(await post({ machine: other }, world.keys.stranger)).toMatchObject({
      status: 400,
      body: strange.body,
    })
  })

  it('twenty at once make one listing', async () => {
    const answers = await atOnce(20, () => post({ machine: other }))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const results = answers.flatMap(
      ({ body }) => (body as { results: { new_contracts: []; upd_contracts: number[] }[] }).results,
    )
    expect(results.filter(({ new_contracts }) => new_contracts.length > 0)).toHaveLength(1)
    expect(results.filter(({ upd_contracts }) => upd_contracts.length > 0)).toHaveLength(19)
    expect(await listings()).toHaveLength(1)
  })
})

describe('GET machines/{id}/volumes', () => {
  it('shows the owner the live listings', async () => {
    await post({ machine: other, hidden_listing: true })
    await rentVolume(0.1, day, 4)
    expect((await server.get(`/api/v0/machines/${other}/volumes/`, world.keys.host)).body).toEqual({
      success: true,
      volumes: [
        {
          id: expect.any(Number),
          machine_id: other,
          user_id: world.host_id,
          size: 15,
          price_disk: 0.1,
          hidden_listing: true,
          end_date: expect.any(Number),
          created_at: expect.any(Number),
          rented: 4,
        },
      ],
    })
    expect((await server.get(`/api/v0/machines/${world.machine_id}/volumes`, world.keys.host)).body).toEqual({
      success: true,
      volumes: [],
    })
  })

  it.each(['999999', 'x', '0', '%00', `${2 ** 40}`])('returns 404 for listings of others: %s', async (id) => {
    const none = {
      status: 404,
      body: { success: false, error: 'not_found', msg: 'There is no such machine' },
    }
    expect(await server.get(`/api/v0/machines/${id}/volumes`, world.keys.host)).toMatchObject(none)
    expect(await server.get(`/api/v0/machines/${other}/volumes`, world.keys.stranger)).toMatchObject(none)
  })
})
