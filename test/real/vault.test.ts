import { randomBytes } from 'node:crypto'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { openVault, unlockVault, type Vault } from '../../platform/security/vault.ts'
import { transaction } from '../../platform/stores/postgres.ts'
import { deliver } from '../../src/companion/outbox/deliver.ts'
import { writeMessage } from '../../src/companion/outbox/write.ts'
import { rotate, sealedColumns } from '../../src/vault/rotate.ts'
import { freshDatabases, type TestDatabases, testKey } from '../database.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { startServer, type TestServer } from '../server.ts'
import { farStart, openWorld, type World } from '../world.ts'

// A change of the encryption key: two services, one of which encrypts with the old key and the other with the new one.

const oldKey = testKey
const newKey = randomBytes(32)

let databases: TestDatabases
let old: TestServer
let fresh: TestServer
let world: World
beforeAll(async () => {
  databases = await freshDatabases()
  old = await startServer({
    databases: {
      ...databases,
      vault: await unlockVault(databases.postgres, { key: oldKey, previous: newKey }),
      close: async () => {},
    },
  })
  world = await openWorld(old)
  fresh = await startServer({
    databases: {
      ...databases,
      vault: await unlockVault(databases.postgres, { key: newKey, previous: oldKey }),
      close: async () => {},
    },
  })
})
afterAll(async () => {
  await old?.app.close()
  await fresh?.app.close()
  await databases?.close()
})

/** The number of values of a column that a vault opens, and their total. */
async function opened(vault: Vault): Promise<Record<string, [number, number]>> {
  const counts: Record<string, [number, number]> = {}
  for (const { table, column, owner, purposeOf } of sealedColumns) {
    const { rows } = await databases.postgres.query<{ sealed: Buffer; owner: number }>(
      `SELECT ${column} AS sealed, ${owner} AS owner FROM ${table} WHERE length(${column}) > 0`,
    )
    const readable = rows.filter(({ sealed, owner }) => {
      try {
        vault.open(sealed, purposeOf(owner))
        return true
      } catch {
        return false
      }
    })
    counts[`${table}.${column}`] = [readable.length, rows.length]
  }
  return counts
}

const only = (key: Buffer) => unlockVault(databases.postgres, { key })
/** Writes every kind of secret through a service. */
async function writeSecrets(server: TestServer, name: string) {
  const { rows } = await databases.postgres.query<{ id: number }>(
    'INSERT INTO accounts (name, is_host) VALUES ($1, true) RETURNING id',
    [name],
  )
  const id = rows[0]?.id ?? 0
  const { key } = await createKey(databases.postgres, { accountId: id })
  const ask = async (path: string, body: object) => {
    const answer = await server.send('POST', `/api/v0${path}`, key, body)
    expect([path, answer.status]).toEqual([path, 200])
    return answer.body as Record<string, string>
  }
  await ask('/users/cloud_integrations', {
    name,
    cloud_type: 'dropbox',
    credentials: { token: `${name} token` },
  })
  await ask(`/users/${id}/templates`, {
    templates: [{ name, image: 'x', docker_login_user: 'me', docker_login_pass: `${name} password` }],
  })
  await ask('/commands/schedule_job', {
    start_time: farStart(),
    api_endpoint: '/api/v0/ssh',
    request_method: 'GET',
    frequency: 'HOURLY',
  })
  await ask('/alerts', {
    name,
    condition: { kind: 'data_age', minutes: 30 },
    webhook_url: 'https://example.com/alerts',
  })
  await ask('/metrics/autopilot/rules', {
    name,
    target: { kind: 'median' },
    webhook_url: 'https://example.com/prices',
  })
  const { secret = '' } = await ask('/tfa/totp-setup', {})
  return { id, key, secret }
}

const codeOf = (secret: string, step: number) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 })

it('names every column of encrypted data', async () => {
  const { rows } = await databases.postgres.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name ~ 'sealed$' ORDER BY 1`,
  )
  const known = [...sealedColumns.map(({ table, column }) => `${table}.${column}`), 'vault.hash_key_sealed']
  expect(rows.map(({ name }) => name)).toEqual(known.sort())
})

it("services with either key first read each other's data before, during and after a change", async () => {
  const before = await writeSecrets(old, 'before')
  // Set up on one service, confirmed on the other; a backup code of one is taken by the other.
  const confirmed = await fresh.send('POST', '/api/v0/tfa/test-submit', before.key, {
    code: codeOf(before.secret, 0),
  })
  expect(confirmed.status).toBe(200)
  const { backup_codes } = confirmed.body as { backup_codes: string[] }
  const renew = (server: TestServer, backup_code: unknown) =>
    server.send('PUT', '/api/v0/tfa/regen-backup-codes', before.key, { backup_code })
  const renewed = await renew(old, backup_codes[0])
  expect(renewed.status).toBe(200)
  const codes = (renewed.body as { backup_codes: string[] }).backup_codes
  // A challenge by mail, and a copy with its token.
  const mail = await old.send('POST', '/api/v0/tfa/email', world.keys.renter, {})
  const { secret } = mail.body as { secret: string }
  const copy = { instance_id: world.instance_id, src: '/a', dst: '/b', selected: world.cloud_connection_id }
  const started = () =>
    fresh.send('POST', '/api/v0/commands/copytool', world.keys.renter, {
      ...copy,
      transfer: 'Instance To Cloud',
    })
  expect((await started()).status).toBe(200)
  const waiting = await old.get(`/api/v0/machines/${world.machine_id}/tasks`, world.keys.host)
  const token = (waiting.body as { tasks: { token: string }[] }).tasks[0]?.token
  expect((await old.send('POST', `/api/v0/host_tasks/${token}/fetch`, world.keys.host)).status).toBe(200)

  const rotation = await rotate(databases.postgres, fresh.vault)
  expect(rotation).toMatchObject({ late: 0, unreadable: {} })
  expect(rotation.resealed).toBeGreaterThan(5)
  for (const [column, [readable, all]] of Object.entries(await opened(await only(newKey))))
    expect([column, readable]).toEqual([column, all])

  // A service that still encrypts with the old key keeps working, and the next rotation takes its values along.
  const after = await writeSecrets(old, 'after')
  expect((await rotate(databases.postgres, fresh.vault)).resealed).toBe(6)
  expect((await rotate(databases.postgres, fresh.vault)).resealed).toBe(0)

  // From now on with the new key alone: TOTP, backup codes and challenges of before, and equal contents are still equal.
  const alone = await startServer({
    databases: { ...databases, vault: await only(newKey), close: async () => {} },
  })
  const proved = await alone.send('POST', '/api/v0/tfa/totp-setup', before.key, { backup_code: codes[1] })
  expect(proved.status).toBe(200)
  expect((await renew(alone, codes[2])).status).toBe(200)
  expect(
    (await alone.send('POST', '/api/v0/tfa/test-submit', after.key, { code: codeOf(after.secret, 1) }))
      .status,
  ).toBe(200)
  const letters: string[] = []
  const carrier = async ({ text }: { text: string }) => void letters.push(text)
  await deliver(databases.postgres, alone.vault, { email: carrier, sms: carrier })
  const code = /^\d{6}/.exec(letters[0] ?? '')?.[0]
  const byMail = await alone.send('PUT', '/api/v0/tfa/regen-backup-codes', world.keys.renter, {
    tfa_method: 'email',
    code,
    secret,
  })
  expect(byMail.status).toBe(200)
  const templates = await alone.send('POST', `/api/v0/users/${before.id}/templates`, before.key, {
    templates: [
      { name: 'before', image: 'x', docker_login_user: 'me', docker_login_pass: 'before password' },
    ],
  })
  expect((templates.body as { templates: [] }).templates).toHaveLength(1)
  await alone.app.close()
  await expect(only(oldKey)).rejects.toThrow('encrypted with another key')
})

it('the command needs both keys, survives kill -9 in the middle, and goes on', async () => {
  const { postgres } = databases
  // Back to the old key: what is left of the test before is rotated, too.
  const backwards = await unlockVault(postgres, { key: oldKey, previous: newKey })
  await rotate(postgres, backwards)
  await transaction(postgres, async (client) => {
    for (let n = 0; n < 40; n += 1)
      await writeMessage(
        { client, vault: backwards },
        {
          kind: 'email code',
          sender: world.renter_id,
          isOwn: true,
          channel: 'email',
          recipient: 'a@example.com',
          subject: `letter ${n}`,
          text: 'secret',
          usefulFor: 6000,
        },
      )
  })
  const run = (more: Record<string, string>) =>
    spawnRackrate(['vault', 'rotate', '--json'], {
      ...environmentOf(databases.queues, databases.clickhouseAddress),
      ...more,
    })
  const keys = { ENCRYPTION_KEY: newKey.toString('hex'), ENCRYPTION_KEY_PREVIOUS: oldKey.toString('hex') }
  const alone = run({})
  expect([await exited(alone), alone.output()]).toEqual([
    2,
    expect.stringContaining('ENCRYPTION_KEY_PREVIOUS'),
  ])

  // The rotation stops at a row in the middle, and is killed there.
  const blocker = await postgres.connect()
  const messages = `SELECT id FROM outbox WHERE sealed IS NOT NULL ORDER BY id`
  await blocker.query('BEGIN')
  const { rows } = await blocker.query<{ id: number }>(`${messages} OFFSET 20 LIMIT 1`)
  await blocker.query('SELECT FROM outbox WHERE id = $1 FOR UPDATE', [rows[0]?.id])
  const killed = run(keys)
  await vi.waitFor(
    async () => {
      const { rowCount } = await postgres.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE outbox SET sealed%' AND datname = current_database()`,
      )
      expect(rowCount, killed.output()).toBe(1)
    },
    { timeout: 60_000, interval: 50 },
  )
  killed.kill('SIGKILL')
  await exited(killed)
  await blocker.query('ROLLBACK')
  blocker.release()

  // Every value opens with one of the two keys, and both kinds exist.
  const both = await unlockVault(postgres, { key: newKey, previous: oldKey })
  const all = await opened(both)
  for (const [column, [readable, total]] of Object.entries(all))
    expect([column, readable]).toEqual([column, total])
  const letters = await postgres.query<{ sealed: Buffer }>(
    'SELECT sealed FROM outbox WHERE sealed IS NOT NULL',
  )
  const left = letters.rows.filter(({ sealed }) => both.reseal(sealed, 'outbox') !== undefined).length
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(letters.rows.length)

  const again = run(keys)
  expect([await exited(again), again.output()]).toEqual([
    0,
    expect.stringContaining('"late":0,"unreadable":{}'),
  ])
  const done = await opened(await only(newKey))
  for (const [column, [readable, total]] of Object.entries(done))
    expect([column, readable]).toEqual([column, total])
  expect(done['outbox.sealed']?.[1]).toBe(letters.rows.length)
  expect(Object.keys(done)).toEqual(Object.keys(all))
})

it('reports values that neither key opens, and leaves them', async () => {
  const { postgres } = databases
  const broken = randomBytes(60)
  const { rows } = await postgres.query<{ id: number }>(
    `INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed) VALUES ($1, 'broken', 's3', $2) RETURNING id`,
    [world.host_id, broken],
  )
  const both = await unlockVault(postgres, { key: newKey, previous: oldKey })
  expect(await rotate(postgres, both)).toEqual({
    resealed: 0,
    late: 0,
    unreadable: { 'cloud_connections.credentials_sealed': 1 },
  })
  const kept = await postgres.query('SELECT credentials_sealed FROM cloud_connections WHERE id = $1', [
    rows[0]?.id,
  ])
  expect(kept.rows[0]?.credentials_sealed).toEqual(broken)
})

it('takes over a database of release 0.1.0, also together with a new key', async () => {
  const own = await freshDatabases()
  const first = openVault({ key: oldKey })
  await own.postgres.query('UPDATE vault SET fingerprint = $1, hash_key_sealed = NULL', [
    first.fingerprint('database', 'vault'),
  ])
  const hash = await first.hashCode('ABCDEFGHJKLM', 'salt')
  for (const keys of [
    { key: newKey, previous: oldKey },
    { key: oldKey, previous: newKey },
  ]) {
    const vaults = await Promise.all(Array.from({ length: 20 }, () => unlockVault(own.postgres, keys)))
    for (const vault of vaults) expect(await vault.hashCode('ABCDEFGHJKLM', 'salt')).toEqual(hash)
  }
  await expect(unlockVault(own.postgres, { key: randomBytes(32) })).rejects.toThrow(
    'encrypted with another key',
  )
  await own.close()
})
