import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Claim } from '../../contract/claims.ts'
import { ceilTo } from '../../contract/ladder.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { loadAll } from '../../ingest/load.ts'
import { unlockVault } from '../../platform/security/vault.ts'
import { rotate } from '../../src/vault/rotate.ts'
import { fleetAt, openClaimed } from '../claimed.ts'
import { testKey } from '../database.ts'
import { ofHost50, openAccount, readTurns, usdOf } from '../keyed-claims.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { startServer, type TestServer, type TestServerOptions } from '../server.ts'

// A host proves a claim with the key of its account at the marketplace, and sees what its machines really earned.

const path = '/api/v0/metrics/claims'
const key = 'the-key-of-host-50-at-vast'

let site: Awaited<ReturnType<typeof openClaimed>>
let server: TestServer
const start = (options: TestServerOptions = {}) =>
  startServer({ databases: site.databases, markets: [site.market], seriesMaxAgeMs: 0, ...options })
beforeAll(async () => {
  site = await openClaimed({ isShort: true })
  server = await start()
  // Earnings are reported by days of UTC: the first runs are on one day.
  const now = Math.floor(site.databases.clock.now())
  const day = 86_400
  await site.databases.clock.hold(now % day > day - 3600 ? ceilTo(day, now) : now)
})
afterAll(async () => {
  await server?.app.close()
  await site?.databases.clock.release()
  await site?.close()
})
beforeEach(() => {
  Object.assign(site.other.accounts, { fault: undefined, faultPath: '' })
})

const put = async (body: object, who = site.keys.host) => {
  const answer = await server.send('PUT', path, who, { source: 'vast', ...body })
  return { status: answer.status, ...(answer.body as { claim: Claim; error?: string; msg?: string }) }
}
const claim = async (who = site.keys.host) =>
  ((await server.get(path, who)).body as { claims: Claim[] }).claims[0]
type Machines = (typeof machinesAnswer)['_output']['machines']
const machines = async (who = site.keys.host) =>
  ((await server.get('/api/v0/metrics/machines?source=vast&figures=no', who)).body as { machines: Machines })
    .machines
const today = () => Math.floor(site.databases.clock.now() / 86_400)

const sum = (id: number, days: number) =>
  Array.from({ length: days }, (_, index) => usdOf(id, index + 1)).reduce((all, usd) => all + usd, 0)
const expected = (id: number) => {
  const rig = site.other.rigs.find((one) => one.id === id)
  return {
    listed: true,
    price: rig?.price,
    min_bid: 0.2,
    occupancy: Array.from({ length: rig?.gpus ?? 0 }, (_, at) => (at < (rig?.rented ?? 0) ? 'D' : 'x')).join(
      ' ',
    ),
    earned: {
      usd: { '1d': near(sum(id, 1)), '7d': near(sum(id, 7)), '30d': near(sum(id, 30)) },
      days: { '1d': 1, '7d': 7, '30d': 30 },
      until: today() * 86_400,
    },
  }
}
const near = (value: number) => expect.closeTo(value, 9)

/** The tables, logs and answers that contain the key in clear. */
async function whereKeyIs(): Promise<string[]> {
  const { postgres } = site.databases
  const { rows } = await postgres.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  )
  const found: string[] = []
  for (const { name } of rows) {
    const text = `SELECT FROM "${name}" t WHERE t::text LIKE '%' || $1 || '%' OR t::text LIKE '%' || $2 || '%' LIMIT 1`
    if ((await postgres.query(text, [key, Buffer.from(key).toString('hex')])).rowCount) found.push(name)
  }
  return found
}

it('a key that proves nothing is not stored', async () => {
  openAccount(site, key, ofHost50())
  openAccount(site, 'the-key-of-somebody-else', [1001, 1007])
  openAccount(site, 'the-key-of-an-empty-account', [])
  const refused = async (body: object, fault?: 'down' | 'busy' | 'half a list' | 'html') => {
    site.other.accounts.fault = fault
    const { status, error, msg } = await put(body)
    site.other.accounts.fault = undefined
    return fault && fault !== 'html' ? [status, error] : [status, error, msg]
  }
  const hosts = [50]
  expect(await refused({ hosts, key: 'no-key-of-anybody' })).toEqual([
    422,
    'key_refused',
    'The key of vast was not saved: The marketplace refused the key (status 401).',
  ])
  expect(await refused({ hosts, key }, 'down')).toEqual([422, 'key_not_tested'])
  expect(await refused({ hosts, key }, 'busy')).toEqual([422, 'key_not_tested'])
  expect(await refused({ hosts, key }, 'half a list')).toEqual([422, 'key_not_tested'])
  expect(await refused({ hosts, key }, 'html')).toEqual([
    422,
    'key_not_tested',
    'The key of vast was not saved: The answer of the marketplace is not JSON, or ends too early.',
  ])
  expect(await refused({ hosts, key: 'the-key-of-somebody-else' })).toMatchObject([
    422,
    'no_machines',
    expect.any(String),
  ])
  expect(await refused({ hosts, key: 'the-key-of-an-empty-account' })).toMatchObject([
    422,
    'no_machines',
    expect.any(String),
  ])
  expect(await refused({ hosts, key: 'a key with\nlines' })).toMatchObject([
    400,
    'invalid_args',
    expect.any(String),
  ])
  expect(await refused({ source: 'exporter', hosts, key })).toEqual([
    400,
    'invalid_args',
    'key: a key works only with a source of the kind vast, but this one is exporter',
  ])
  expect(await claim()).toBeUndefined()
})

it('tests of keys beyond the limits are refused without calling the marketplace', async () => {
  const limited = await start({ keyTests: { account: 2, site: 3 } })
  const test = async (who: string, body: object = { key: 'no-key-of-anybody' }) => {
    const answer = await limited.send('PUT', path, who, { source: 'vast', hosts: [50], ...body })
    return [answer.status, (answer.body as { error?: string }).error, Number(answer.headers['retry-after'])]
  }
  const { host, other } = site.keys
  const refused = [422, 'key_refused', Number.NaN]
  const tooMany = [429, 'too_many_requests', expect.toSatisfy((seconds) => seconds > 60 && seconds <= 3600)]
  try {
    expect([await test(host), await test(host)]).toEqual([refused, refused])
    const calls = site.other.accounts.calls.length
    expect(await test(host)).toEqual(tooMany)
    expect(site.other.accounts.calls).toHaveLength(calls)
    expect((await test(host, {}))[0]).toBe(200)
    expect(await test(other)).toEqual(refused)
    expect(await test(other)).toEqual(tooMany) // of the site
    expect((await test(host, { hosts: [] }))[0]).toBe(200)
  } finally {
    await limited.app.close()
  }
})

it('a host proves a claim with its key, and sees what an oracle computes', async () => {
  const { status, claim: made } = await put({ hosts: [50], key })
  const proof = {
    proven_at: expect.any(Number),
    machines: ofHost50().length,
    can_do_more: false,
    problem: null,
  }
  expect([status, made]).toMatchObject([200, { hosts: [50], machines: [], proven: true, proof }])
  expect((await machines())[0]?.marketplace).toMatchObject({ listed: true, earned: null })
  expect(await readTurns(site, 2)).toEqual([
    { read: 1, failed: 0 },
    { read: 1, failed: 0 },
  ])
  const own = await machines()
  expect(own.map(({ id }) => id).sort()).toEqual(expect.arrayContaining(ofHost50()))
  for (const { id, marketplace } of own)
    if (ofHost50().includes(id)) expect(marketplace, `${id}`).toMatchObject(expected(id))
    else expect(marketplace, `${id}`).toBeNull()
  expect(JSON.stringify([made, own, await claim()])).not.toContain(key)
  expect(await whereKeyIs()).toEqual([])
})

it('another claim of the same machines without a key sees no earnings', async () => {
  const { claim: made } = await put({ hosts: [50] }, site.keys.other)
  expect(made).toMatchObject({ proven: false, proof: null })
  expect((await machines(site.keys.other)).map(({ marketplace }) => marketplace)).toEqual(
    (await machines()).map(() => null),
  )
})

it('a key of another account is refused, and the key before stays', async () => {
  const before = await claim()
  for (const other of ['the-key-of-somebody-else', 'no-key-of-anybody'])
    expect((await put({ hosts: [50], key: other })).status).toBe(422)
  expect(await claim()).toEqual(before)
})

it('a key survives a restart, and a change of the ids', async () => {
  const before = await machines()
  await server.app.close()
  server = await start()
  expect(await machines()).toEqual(before)
  expect((await put({ hosts: [50], machines: [1006] })).claim).toMatchObject({
    proven: false,
    proof: { problem: 'The marketplace does not show machine 1006 to the key.' },
  })
  expect((await put({ hosts: [50] })).claim).toMatchObject({ proven: true, proof: { problem: null } })
})

it('an outage keeps all data, and the claim has the reason', async () => {
  const before = await machines()
  for (const [fault, problem] of [
    ['down', /cannot be reached/],
    ['error', /The marketplace failed/],
    ['half a list', /announces . machines but lists/],
    ['cut', /not JSON/],
  ] as const) {
    site.other.accounts.fault = fault
    expect(await readTurns(site)).toEqual([{ read: 0, failed: 1 }])
    expect(await claim()).toMatchObject({ proven: true, proof: { problem: expect.stringMatching(problem) } })
    expect(await machines()).toEqual(before)
    await site.databases.clock.advance(3600)
  }
  site.other.accounts.fault = undefined
  expect(await readTurns(site)).toEqual([{ read: 1, failed: 0 }])
  expect(await claim()).toMatchObject({ proven: true, proof: { problem: null } })
})

it('Retry-After of a marketplace is respected', async () => {
  site.other.accounts.fault = 'busy for a while'
  expect(await readTurns(site)).toEqual([{ read: 0, failed: 1 }])
  const { postgres, clock } = site.databases
  const { rows } = await postgres.query<{ seconds: number }>(
    'SELECT extract(epoch FROM ask_after - rackrate_now())::float8 AS seconds FROM claim_keys',
  )
  expect(rows[0]?.seconds).toBeGreaterThanOrEqual(0)
  await postgres.query("UPDATE claim_keys SET ask_after = rackrate_now() + interval '1 hour'")
  expect(await readTurns(site)).toEqual([{ read: 0, failed: 0 }])
  await clock.advance(3600)
})

it('a key that may not read earnings still proves the claim', async () => {
  Object.assign(site.other.accounts, { fault: 'error', faultPath: 'machine-earnings' })
  expect(await readTurns(site)).toEqual([{ read: 1, failed: 0 }])
  expect(await claim()).toMatchObject({
    proven: true,
    proof: { problem: expect.stringMatching(/^Earnings cannot be read/) },
  })
  Object.assign(site.other.accounts, { fault: undefined, faultPath: '' })
  await site.databases.clock.advance(3600)
  await readTurns(site, 2)
  expect(await claim()).toMatchObject({ proven: true, proof: { problem: null } })
})

it('own machines stay when their host gets another id', async () => {
  const ids = ofHost50()
  const moved = fleetAt(11, true).map((rig) => (ids.includes(rig.id) ? { ...rig, host: 77 } : rig))
  await site.take(11, moved)
  await loadAll(site.market)
  const own = await machines()
  expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect(await claim()).toMatchObject({ hosts: [50], proven: true })
  // Without a key the other account keeps only the machines that still belong to host 50.
  expect((await machines(site.keys.other)).map(({ id }) => id)).not.toEqual(expect.arrayContaining(ids))
})

it('a revoked key proves nothing, earlier data stays, and a new key continues', async () => {
  const before = await machines()
  site.other.accounts.revoke(key)
  expect(await readTurns(site)).toEqual([{ read: 0, failed: 1 }])
  const revoked = { proven: false, proof: { problem: 'The marketplace refused the key (status 401).' } }
  expect(await claim()).toMatchObject(revoked)
  site.other.accounts.fault = 'down'
  await site.databases.clock.advance(3600)
  await readTurns(site)
  expect(await claim()).toMatchObject({ proven: false })
  expect((await machines()).map(({ marketplace }) => marketplace)).toEqual(
    before.map(({ marketplace }) => marketplace),
  )
  site.other.accounts.fault = undefined
  openAccount(site, 'the-second-key-of-host-50', ofHost50()).canDoMore = true
  expect((await put({ hosts: [50], key: 'the-second-key-of-host-50' })).claim).toMatchObject({
    proven: true,
    proof: { can_do_more: true, problem: null },
  })
  expect((await machines()).some(({ marketplace }) => marketplace?.earned)).toBe(true)
})

it('a key is not sent to another address', async () => {
  const { postgres } = site.market
  const { rows } = await postgres.query<{ source: string }>('SELECT source FROM collector')
  await postgres.query("UPDATE collector SET source = 'vast=http://127.0.0.1:9/api/v0/bundles/'")
  const calls = site.other.accounts.calls.length
  await site.databases.clock.advance(3600)
  expect(await readTurns(site)).toEqual([{ read: 0, failed: 1 }])
  expect(await claim()).toMatchObject({
    proven: false,
    proof: { problem: expect.stringMatching(/Give the key again/) },
  })
  expect(site.other.accounts.calls).toHaveLength(calls)
  await postgres.query('UPDATE collector SET source = $1', [rows[0]?.source])
})

it('deleting a key deletes the data that was read with it', async () => {
  expect((await put({ hosts: [77], key: null })).claim).toMatchObject({ proven: false, proof: null })
  for (const table of ['claim_keys', 'claim_machines', 'claim_earnings'])
    expect((await site.databases.postgres.query(`SELECT FROM ${table}`)).rowCount).toBe(0)
  expect((await machines()).map(({ marketplace }) => marketplace)).toEqual(ofHost50().map(() => null))
})

it('text of the marketplace that PostgreSQL cannot store does no harm', async () => {
  const strangeKey = 'the-key-of-an-account-with-strange-text'
  const { machines: listed } = openAccount(site, strangeKey, ofHost50())
  for (const machine of listed)
    Object.assign(machine, { gpu_name: 'RTX\0 4090 \ud800', gpu_occupancy: 'D \0 \udfff x' })
  expect(await put({ hosts: [77], key: strangeKey })).toMatchObject({ status: 200, claim: { proven: true } })
  await site.databases.clock.advance(3600)
  expect(await readTurns(site)).toEqual([{ read: 1, failed: 0 }])
  const letters = (await machines()).map(({ marketplace }) => marketplace?.occupancy)
  expect(letters).toEqual(ofHost50().map(() => expect.stringContaining('\ufffd')))
})

it('the command takes a key from a file, without ids, and shows it nowhere', async () => {
  openAccount(site, key, ofHost50())
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-key-'))
  const file = join(folder, 'key')
  writeFileSync(file, `${key}\n`)
  const { queues, clickhouseAddress, postgres } = site.databases
  const { rows } = await postgres.query<{ id: number }>(
    'SELECT account_id AS id FROM claims ORDER BY 1 LIMIT 1',
  )
  const environment = environmentOf(queues, clickhouseAddress)
  const run = async (...args: string[]) => {
    const all = ['claim', '--source', 'vast', '--account', `${rows[0]?.id}`, ...args]
    const child = spawnRackrate(all, environment)
    return { code: await exited(child), output: child.output() }
  }
  try {
    await put({})
    const made = await run('--key-file', file)
    expect(made).toEqual({ code: 0, output: expect.stringContaining('Proven by the key of the host.') })
    expect(made.output).not.toContain(key)
    expect((await claim())?.machines).toEqual(ofHost50())
    expect((await run('--forget-key')).output).toContain('Unproven')
    expect(await whereKeyIs()).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('a change of the encryption key takes the keys of claims along', async () => {
  expect((await put({ key })).claim).toMatchObject({ proven: true, machines: ofHost50() })
  const { postgres } = site.databases
  const newKey = randomBytes(32)
  await rotate(postgres, await unlockVault(postgres, { key: newKey, previous: testKey }))
  expect(await readTurns(site, 1, await unlockVault(postgres, { key: newKey }))).toEqual([
    { read: 1, failed: 0 },
  ])
})
