import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { lockAccount } from '../../platform/security/lock-account.ts'
import { transaction } from '../../platform/stores/postgres.ts'
import { holdings, ofTheTeam } from '../../src/companion/account/holdings.ts'
import { withAccount } from '../../src/companion/context.ts'
import { replaceBackupCodes } from '../../src/companion/tfa/backup-codes.ts'
import { accountRows } from '../account-rows.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'rackrate-account-'))
beforeAll(async () => {
  server = await startServer()
  full = await newPerson()
  for (const statement of accountRows)
    await server.postgres.query(statement, statement.includes('$1') ? [full.id] : [])
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.close()
})

/** An account with a row in every table. */
let full: { id: number; key: string }
let person: { id: number; key: string }
beforeEach(async () => {
  person = await newPerson()
})

async function newPerson() {
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('Person') RETURNING id`,
  )
  const id = rows[0]?.id ?? 0
  return { id, key: (await createKey(server.postgres, { accountId: id })).key }
}
async function proofOf(id: number) {
  const [backup_code] = await withAccount({ ...server }, id, replaceBackupCodes)
  return { backup_code }
}
const numberOf = async (from: string, values: unknown[] = []) =>
  (await server.postgres.query<{ n: number }>(`SELECT count(*) AS n FROM ${from}`, values)).rows[0]?.n ?? 0
const remove = (key: string, body: unknown, id = person.id) =>
  server.send('DELETE', `/api/v0/users/${id}`, key, body)
const exported = async (key: string, body: unknown, id = person.id) =>
  (await server.send('POST', `/api/v0/users/${id}/export`, key, body)) as unknown as {
    status: number
    headers: Record<string, unknown>
    body: { account_id: number; not_exported: object; tables: Record<string, Record<string, unknown>[]> }
  }

it('the holdings have every table that refers to an account, also through another one', async () => {
  const { rows: references } = await server.postgres.query<{ table: string; column: string; target: string }>(
    `SELECT c.conrelid::regclass::text AS table, a.attname AS column, c.confrelid::regclass::text AS target
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
     WHERE c.contype = 'f'`,
  )
  const { rows: named } = await server.postgres.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND column_name ~ '^(account|user|owner|creator|sender|renter|person)_id$|^(created|updated)_by$|^recipient$'`,
  )
  const tables = new Set(['accounts', ...named.map(({ table }) => table)])
  for (let before = 0; before < tables.size; ) {
    before = tables.size
    for (const { table, target } of references) if (tables.has(target)) tables.add(table)
  }
  expect([...tables].sort()).toEqual([...new Set(holdings.map(({ table }) => table))].sort())
  const direct = references.filter(({ target }) => target === 'accounts')
  const forgotten = [...direct, ...named].filter(
    ({ table, column }) =>
      !ofTheTeam.includes(`${table}.${column}`) &&
      !holdings.some((holding) => holding.table === table && holding.rows.includes(column)),
  )
  expect(forgotten).toEqual([])
})

it('an account exports what it holds in every table, without secrets', async () => {
  const { status, headers, body } = await exported(full.key, await proofOf(full.id), full.id)
  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe(`attachment; filename="account-${full.id}.json"`)
  const expected = holdings.filter(({ notExported }) => !notExported)
  expect(Object.keys(body.tables)).toEqual(expected.map(({ table, name = table }) => name))
  for (const [name, rows] of Object.entries(body.tables))
    expect([name, rows.length > 0]).toEqual([name, name !== 'teams' && name !== 'roles'])
  expect(Object.keys(body.not_exported)).toContain('sign_in_codes')
  const columns = new Set(Object.values(body.tables).flatMap((rows) => rows.flatMap(Object.keys)))
  expect([...columns].filter((column) => /_sealed$|_hash$|^hash$|^log_held$|^place$/.test(column))).toEqual(
    [],
  )
  expect(JSON.stringify(body)).not.toContain('\\\\x')
})

it('a deleted account leaves rows that have a reason, and nothing that names its holder', async () => {
  for (const { table, name = table, rows } of holdings)
    if (table !== 'teams' && table !== 'roles')
      expect([name, (await numberOf(`${table} WHERE ${rows}`, [full.id])) > 0]).toEqual([name, true])
  const { status, body } = await remove(full.key, await proofOf(full.id), full.id)
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ deleted: expect.objectContaining({ alert_rules: 1, api_keys: 2, claims: 1 }) }),
  ])
  expect(body).toMatchObject({ stays: { contracts: expect.any(String), observations: expect.any(String) } })
  for (const { table, rows, stays, deleted } of holdings)
    if (!stays || deleted)
      expect([table, await numberOf(`${table} WHERE ${deleted ?? rows}`, [full.id])]).toEqual([table, 0])
  const { rows: tables } = await server.postgres.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables)
    expect([name, await numberOf(`${name} AS t WHERE t::text ~* 'marker|4915112345678'`)]).toEqual([name, 0])
  expect((await server.get('/api/v0/users/current', full.key)).status).toBe(401)
  // A request whose key another process still knows writes nothing for it.
  await expect(transaction(server.postgres, (client) => lockAccount(client, full.id))).rejects.toMatchObject({
    statusCode: 401,
  })
  const { rows: audited } = await server.postgres.query(
    `SELECT action, origin, person_id, before, after FROM changes WHERE account_id = $1 AND object = 'accounts' ORDER BY id DESC LIMIT 1`,
    [full.id],
  )
  expect(audited).toEqual([
    { action: 'delete', origin: 'api', person_id: full.id, before: null, after: null },
  ])
})

it('without a valid proof, or with a key that allows less, nothing is exported or deleted', async () => {
  const { backup_code } = await proofOf(person.id)
  const { key: lesser } = await createKey(server.postgres, {
    accountId: person.id,
    permissions: { api: { user_write: {} } },
  })
  for (const call of [exported, remove]) {
    expect(await call(person.key, {})).toMatchObject({ status: 400, body: { error: 'missing_auth_value' } })
    const wrong = { backup_code: 'ABCD-EFGH-JKLM' }
    expect(await call(person.key, wrong)).toMatchObject({
      status: 401,
      body: { error: 'invalid_backup_code' },
    })
    expect(await call(lesser, { backup_code })).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  }
  expect((await remove(person.key, { backup_code })).status).toBe(200)
})

it('an account of somebody else is as one that does not exist, except for an admin', async () => {
  const other = await newPerson()
  const proof = await proofOf(person.id)
  for (const id of [other.id, 999_999]) {
    expect(await remove(person.key, proof, id)).toMatchObject({ status: 404 })
    expect(await exported(person.key, proof, id)).toMatchObject({ status: 404 })
  }
  const { rows } = await server.postgres.query<{ id: number }>('SELECT id FROM accounts WHERE is_admin')
  const admin = rows[0]?.id ?? 0
  expect(await exported(server.adminKey, await proofOf(admin), other.id)).toMatchObject({
    status: 200,
    body: { account_id: other.id, tables: { accounts: [{ id: other.id, name: 'Person' }] } },
  })
  expect(await remove(server.adminKey, await proofOf(admin), other.id)).toMatchObject({ status: 200 })
  expect(await remove(server.adminKey, await proofOf(admin), other.id)).toMatchObject({ status: 404 })
})

it('an account that takes part in the market or owns a team is not deleted', async () => {
  const proof = await proofOf(person.id)
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, disk_space) VALUES ($1, 'L4', 1, 24000, 1) RETURNING id`,
    [person.id],
  )
  await server.send('POST', '/api/v0/team', person.key, { team_name: 'A team' })
  expect(await remove(person.key, proof)).toMatchObject({
    status: 400,
    body: { msg: 'End these first: teams (1), machines (1) of the account' },
  })
  await server.postgres.query('UPDATE machines SET removed_at = rackrate_now() WHERE id = $1', [rows[0]?.id])
  const team = (await server.postgres.query<{ id: number }>('SELECT max(account_id) AS id FROM teams'))
    .rows[0]?.id
  const { key } = await createKey(server.postgres, { accountId: team ?? 0, createdBy: person.id })
  expect(await remove(key, proof, team)).toMatchObject({ status: 200 })
  expect(await remove(person.key, await proofOf(person.id))).toMatchObject({ status: 200 })
})

it('jobs that a person wrote for a team stop, and templates that others use stay', async () => {
  const [owner, reader] = [await newPerson(), await newPerson()]
  const { rows } = await server.postgres.query<{ id: number }>(
    `WITH team AS (INSERT INTO accounts (kind, name) VALUES ('team', 'Team') RETURNING id)
     INSERT INTO teams (account_id, owner_id) SELECT id, $1 FROM team RETURNING account_id AS id`,
    [owner.id],
  )
  const team = rows[0]?.id ?? 0
  await server.postgres.query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [
    team,
    person.id,
  ])
  const { id: keyId } = await createKey(server.postgres, { accountId: team, createdBy: person.id })
  await server.postgres.query(
    `INSERT INTO scheduled_jobs (account_id, created_by, api_endpoint, request_method, request_body_sealed, permissions, start_time, frequency, key_id, next_run_at)
     VALUES ($1, $2, '/api/v0/ssh', 'GET', '', '{}', rackrate_now(), 'HOURLY', $3, rackrate_now())`,
    [team, person.id, keyId],
  )
  await server.postgres.query(
    `WITH saved AS (
       INSERT INTO templates (creator_id, hash_id, content, docker_login_pass_sealed)
       VALUES ($1, 'used', '{"name": "Used", "docker_login_user": "me"}', 'sealed') RETURNING id)
     INSERT INTO template_library (account_id, template_id) SELECT unnest(ARRAY[$1, $2]::int[]), id FROM saved`,
    [person.id, reader.id],
  )
  expect((await remove(person.key, await proofOf(person.id))).status).toBe(200)
  const { rows: jobs } = await server.postgres.query(
    'SELECT status, next_run_at, stop_reason FROM scheduled_jobs WHERE account_id = $1',
    [team],
  )
  expect(jobs).toEqual([
    {
      status: 'COMPLETED',
      next_run_at: null,
      stop_reason: 'The account that wrote this job was deleted',
    },
  ])
  const { rows: templates } = await server.postgres.query(
    "SELECT content, docker_login_pass_sealed FROM templates WHERE hash_id = 'used'",
  )
  expect(templates).toEqual([
    {
      content: { name: 'Used', docker_login_user: '', docker_login_repo: '' },
      docker_login_pass_sealed: null,
    },
  ])
})

it('`rackrate account` exports to a file for its owner, and deletes with --yes only', async () => {
  const account = async (...args: string[]) => {
    const child = spawnRackrate(['account', ...args], environmentOf(server.queues, server.clickhouseAddress))
    return { code: await exited(child), output: child.output() }
  }
  const file = join(folder, 'account.json')
  const id = `${person.id}`
  expect(await account('export', id, '--file', file)).toEqual({ code: 0, output: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ account_id: person.id })
  expect(await account('export', id, '--file', file)).toMatchObject({ code: 1 })
  expect(JSON.parse((await account('export', id)).output)).toMatchObject({ account_id: person.id })
  expect(await account('export', 'none@example.com')).toEqual({
    code: 2,
    output: 'rackrate: There is no account none@example.com.\n',
  })
  expect(await account('delete', id)).toEqual({
    code: 2,
    output: `rackrate: Account ${id} (Person) is deleted for good with --yes. Export it first.\n`,
  })
  expect(await account('delete', id, '--yes')).toEqual({
    code: 0,
    output: `Account ${id} (Person) is deleted. Rows: api_keys 1.\n`,
  })
  expect(await numberOf('accounts WHERE id = $1 AND deleted_at IS NULL', [person.id])).toBe(0)
  expect(existsSync(file)).toBe(true)
})
