import { afterAll, beforeAll, expect, it } from 'vitest'
import { callThrough } from '../../cli/start-workers.ts'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { type CallForJob, dueRuns, performRun } from '../../src/companion/schedule/execute.ts'
import { startServer, type TestServer } from '../server.ts'
import { farStart, openWorld, type World } from '../world.ts'

// A scheduled job ends with the API key that wrote it.

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())

const path = '/api/v0/commands/schedule_job'
const start = farStart()
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF'
const plant = (key: string, changes: object = {}) =>
  server.send('POST', path, key, {
    start_time: start,
    api_endpoint: '/api/v0/ssh',
    request_method: 'POST',
    request_body: { ssh_key: sshKey },
    frequency: 'HOURLY',
    ...changes,
  })
const newKey = () => createKey(server.postgres, { accountId: world.renter_id })
const jobs = async () =>
  (await server.get(path, world.keys.renter)).body as { id: number; key_id: number; status: string }[]
const only = async () => (await jobs())[0]
const planted = async () => (await server.get('/api/v0/ssh', world.keys.renter)).body as unknown[]
const fresh = () => server.postgres.query('DELETE FROM scheduled_jobs')
const run = async (call: CallForJob = callThrough(server.app)) => {
  const outcomes = []
  for (const one of await dueRuns(server.postgres, start + 3600))
    outcomes.push(await performRun({ ...server, callApi: call }, one))
  return outcomes
}

it('a revocation stops and lists the jobs of the key, and leaves the others', async () => {
  const { id, key } = await newKey()
  const { key: other } = await newKey()
  await plant(key)
  await plant(other, { min_of_the_hour: 1 })
  const [mine, others] = await jobs()
  expect(mine).toMatchObject({ key_id: id, status: 'PENDING', stop_reason: null })
  const revoked = await server.send('DELETE', `/api/v0/auth/apikeys/${id}`, world.keys.renter)
  expect(revoked.body).toEqual({ success: true, stopped_jobs: [mine?.id] })
  expect(await jobs()).toMatchObject([
    { status: 'STOPPED', next_run: null, stop_reason: 'The API key that wrote this job was revoked' },
    { id: others?.id, status: 'PENDING' },
  ])
  // An equal job is a new one, and an update lets the old one run again, with the key of the update.
  const again = await plant(other)
  expect(again.body).not.toMatchObject({ scheduled_job_id: mine?.id })
  await server.send('PUT', `${path}/${mine?.id}`, other, { min_of_the_hour: 2 })
  expect(await only()).toMatchObject({ id: mine?.id, status: 'PENDING', stop_reason: null })
  expect((await only())?.key_id).not.toBe(id)
})

it('the command line stops them too', async () => {
  await fresh()
  const { id, key } = await newKey()
  await plant(key)
  const job = await only()
  expect(await revokeKey(server.postgres, `${id}`)).toMatchObject({ stopped_jobs: [job?.id] })
  expect(await revokeKey(server.postgres, `${id}`)).toBeUndefined()
  expect(await only()).toMatchObject({ status: 'STOPPED' })
})

it.each([
  ['revoked', 'revoked_at = rackrate_now()', 'The API key that wrote this job was revoked'],
  [
    'expired',
    `expires_at = rackrate_now() - interval '1 second'`,
    'The API key that wrote this job has expired',
  ],
])('a run of a key that is %s meanwhile makes no call and stops the job', async (_, ended, reason) => {
  await fresh()
  const { id, key } = await newKey()
  await plant(key)
  await server.postgres.query(`UPDATE api_keys SET ${ended} WHERE id = $1`, [id])
  const before = await planted()
  expect(await run()).toEqual([reason])
  expect(await only()).toMatchObject({
    status: 'STOPPED',
    next_run: null,
    stop_reason: reason,
    last_outcome: reason,
    last_status_code: null,
  })
  expect(await run()).toEqual([])
  expect(await planted()).toEqual(before)
})

it('a key that ends between the check and the call ends the call as well', async () => {
  await fresh()
  const { id, key } = await newKey()
  await plant(key)
  const call = callThrough(server.app)
  const outcomes = await run(async (request) => {
    await revokeKey(server.postgres, `${id}`)
    return call(request)
  })
  expect(outcomes).toEqual(['auth_error: Invalid user key'])
  expect(await planted()).toEqual([])
  expect(await only()).toMatchObject({ status: 'STOPPED', next_run: null })
})

it('a job that writes another job hands on its key, and no key that outlives it', async () => {
  await fresh()
  const { id, key } = await newKey()
  await plant(key, {
    api_endpoint: path,
    request_body: {
      start_time: start,
      api_endpoint: '/api/v0/ssh',
      request_method: 'GET',
      frequency: 'DAILY',
      hour_of_the_day: 1,
    },
  })
  expect(await run()).toEqual(['ok'])
  expect((await jobs()).map(({ key_id }) => key_id)).toEqual([id, id])
  expect((await revokeKey(server.postgres, `${id}`))?.stopped_jobs).toHaveLength(2)
  const { rows } = await server.postgres.query('SELECT FROM api_keys WHERE stands_for IS NOT NULL')
  expect(rows).toEqual([])
})

it('a job of an earlier release, without a key, stops when any key of its holder is revoked', async () => {
  await fresh()
  const { key } = await newKey()
  await plant(key)
  await server.postgres.query('UPDATE scheduled_jobs SET key_id = NULL')
  expect(await run()).toEqual(['ok'])
  const { id: strangers } = await createKey(server.postgres, { accountId: world.stranger_id })
  expect((await revokeKey(server.postgres, `${strangers}`))?.stopped_jobs).toEqual([])
  const { id } = await newKey()
  expect((await revokeKey(server.postgres, `${id}`))?.stopped_jobs).toHaveLength(1)
})
