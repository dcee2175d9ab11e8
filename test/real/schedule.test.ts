import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callThrough } from '../../cli/start-workers.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { type CallForJob, dueRuns, performRun } from '../../src/companion/schedule/execute.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, keyWith, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.postgres.query('DELETE FROM scheduled_jobs')
  await server.clock.release()
})

type Body = Record<string, unknown>
const path = '/api/v0/commands/schedule_job/'
// 2030-01-01T00:00Z, a Tuesday
const future = 1_893_456_000
const hour = 3600
const fields = (changes: Body = {}) => ({
  start_time: future,
  end_time: null,
  api_endpoint: '/api/v0/ssh/',
  request_method: 'GET',
  request_body: {},
  day_of_the_week: null,
  hour_of_the_day: null,
  frequency: 'HOURLY',
  instance_id: world.instance_id,
  ...changes,
})
const create = async (changes: Body = {}, key = world.keys.renter) => {
  const answer = await server.send('POST', path, key, fields(changes))
  return { ...answer, id: (answer.body as { scheduled_job_id: number }).scheduled_job_id }
}
const update = (id: number | string, body: unknown, key = world.keys.renter) =>
  server.send('PUT', `${path}${id}/`, key, body)
const read = async (id: number, key = world.keys.renter) =>
  ((await server.get(path, key)).body as (Body & { id: number })[]).find((job) => job.id === id)
const throughApi = () => callThrough(server.app)
/** Runs the jobs that are due at a time. */
const runAt = async (now: number, call = throughApi()) => {
  const outcomes = []
  for (const run of await dueRuns(server.postgres, now))
    outcomes.push(await performRun({ ...server, callApi: call }, run))
  return outcomes
}

describe('PUT commands/schedule_job/{id}', () => {
  it('sets what is given', async () => {
    const { id } = await create()
    expect(await read(id)).toMatchObject({
      ...fields(),
      user_id: world.renter_id,
      min_of_the_hour: 0,
      status: 'PENDING',
      next_run: future,
      last_executed_around: null,
    })
    expect(await update(`${id}`, { request_method: 'PUT', unknown: 1 })).toMatchObject({
      status: 200,
      body: { success: true, scheduled_job_id: id, msg: `Successfully updated scheduled job with ID ${id}` },
    })
    expect(await read(id)).toMatchObject({ ...fields(), request_method: 'PUT' })
  })

  it('takes all nine fields at once, nulls included', async () => {
    const { id } = await create()
    const nine = fields({
      frequency: 'WEEKLY',
      day_of_the_week: 0,
      hour_of_the_day: 5,
      start_time: future + 0.25,
      end_time: future + 1e6,
    })
    expect((await update(id, nine)).status).toBe(200)
    // The first Sunday after: 2030-01-06; the minute moved along with start_time, to the first whole one at or after it.
    expect(await read(id)).toMatchObject({
      ...nine,
      min_of_the_hour: 1,
      next_run: future + 5 * 24 * hour + 5 * hour + 60,
    })
    expect((await update(id, fields())).status).toBe(200)
    expect(await read(id)).toMatchObject({
      ...fields(),
      end_time: future + 1e6,
      min_of_the_hour: 0,
      next_run: future,
    })
  })

  it.each([
    [
      { frequency: 'DAILY', hour_of_the_day: 5 },
      { day_of_the_week: null, hour_of_the_day: 5 },
    ],
    [
      { frequency: 'HOURLY', day_of_the_week: null, hour_of_the_day: null },
      { day_of_the_week: null, hour_of_the_day: null },
    ],
    [{ frequency: 'HOURLY' }, { day_of_the_week: null, hour_of_the_day: null }],
    [{ day_of_the_week: 0 }, { frequency: 'WEEKLY', day_of_the_week: 0, hour_of_the_day: 7 }],
    [
      { hour_of_the_day: 0, day_of_the_week: null },
      { frequency: 'WEEKLY', day_of_the_week: 3, hour_of_the_day: 0 },
    ],
    [{ min_of_the_hour: 30 }, { min_of_the_hour: 30, next_run: future + 24 * hour + 7 * hour + 1800 }],
    [{ start_time: future + 24 * hour + 8 * hour }, { next_run: future + 8 * 24 * hour + 7 * hour }],
  ])('a weekly job with %j', async (changes, expected) => {
    const { id } = await create({ frequency: 'WEEKLY', day_of_the_week: 3, hour_of_the_day: 7 })
    expect((await update(id, changes)).status).toBe(200)
    expect(await read(id)).toMatchObject(expected)
  })

  it.each([
    [{}, 'No valid fields provided for update.'],
    [{ frequency: null, request_body: null }, 'No valid fields provided for update.'],
    [{ something: 'else' }, 'No valid fields provided for update.'],
    [{ frequency: 'WEEKLY' }, expect.stringContaining('WEEKLY takes both')],
    [{ hour_of_the_day: 5 }, expect.stringContaining('HOURLY takes neither')],
    [{ frequency: 'DAILY', hour_of_the_day: null }, expect.any(String)],
    [{ frequency: 'WEEKLY', day_of_the_week: null, hour_of_the_day: 5 }, expect.any(String)],
    [{ frequency: 'DAILY', hour_of_the_day: 24 }, expect.any(String)],
    [{ day_of_the_week: 7 }, expect.any(String)],
    [{ frequency: 'MINUTELY' }, expect.any(String)],
    [{ start_time: 'tomorrow' }, expect.any(String)],
    [{ start_time: -1 }, expect.any(String)],
    [{ end_time: future }, 'start_time must be before end_time'],
    [{ start_time: 1e300 }, expect.any(String)],
    [{ request_method: 'PATCH' }, expect.any(String)],
    [{ request_body: [] }, expect.any(String)],
    [{ request_body: { x: 'x'.repeat(70_000) } }, expect.any(String)],
    [{ min_of_the_hour: 60 }, expect.any(String)],
  ])('refuses %j', async (changes, msg) => {
    const { id } = await create()
    expect(await update(id, changes)).toMatchObject({
      status: 400,
      body: { success: false, error: 'invalid_args', msg },
    })
    expect(await read(id)).toMatchObject(fields())
  })

  it.each([
    'http://169.254.169.254/latest/meta-data',
    '//evil.example/api/v0/ssh',
    '/api/v0/../../admin',
    '/api/v0/%2e%2e/%2e%2e/metrics',
    '/api/v0/ssh\\..\\..',
    '/api/v0/ssh#x',
    '/api/v0/ssh\r\nHost: evil',
    '/api/v0/ s s h',
    '/metrics',
    'api/v0/ssh',
    '@evil.example/api/v0/ssh',
    '',
  ])('calls only this API: %j', async (api_endpoint) => {
    const { id } = await create()
    expect(await update(id, { api_endpoint })).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
    expect((await create({ api_endpoint })).status).toBe(400)
  })

  it.each(['/api/v0/nonsense', '/api/v0/ssh/1/2', '/api/v0/metrics/gpu/histories?gpu_name=all', '/api/v0/'])(
    'refuses a path that no endpoint has: %s',
    async (api_endpoint) => {
      const { id } = await create()
      const refused = {
        status: 400,
        body: {
          error: 'invalid_args',
          msg: `api_endpoint must be an endpoint that exists. This API has no ${api_endpoint}`,
        },
      }
      expect(await create({ api_endpoint })).toMatchObject(refused)
      expect(await update(id, { api_endpoint })).toMatchObject(refused)
      // A job of an earlier release keeps its path, also when a client sends it back.
      await server.postgres.query('UPDATE scheduled_jobs SET api_endpoint = $1 WHERE id = $2', [
        api_endpoint,
        id,
      ])
      expect(await update(id, { api_endpoint, min_of_the_hour: 7 })).toMatchObject({ status: 200 })
    },
  )

  it.each(['/api/v0/instances/reboot/1/', '/api/v0/ssh/1', '/api/v0/metrics/gpu/history?gpu_name=all'])(
    'takes the path of an endpoint, or of a call on an instance: %s',
    async (api_endpoint) => {
      const { id } = await create()
      expect(await update(id, { api_endpoint })).toMatchObject({ status: 200 })
    },
  )

  it('without an id', async () => {
    const missing = {
      status: 400,
      body: { error: 'invalid_args', msg: 'Missing scheduled_job_id in request.' },
    }
    expect(await server.send('PUT', path, world.keys.renter, { frequency: 'HOURLY' })).toMatchObject(missing)
    for (const id of ['x', '0', '-1', '1.5', 'null'])
      expect(await update(id, { frequency: 'HOURLY' })).toMatchObject(missing)
  })

  it('jobs of other accounts, deleted and unknown jobs are the same 404', async () => {
    const { id } = await create()
    const unknown = await update(999_999, { min_of_the_hour: 1 })
    expect(await update('2147483648', { min_of_the_hour: 1 })).toMatchObject({
      status: 404,
      body: unknown.body,
    })
    expect(unknown).toMatchObject({ status: 404, body: { success: false, error: 'not_found' } })
    expect(await update(id, { min_of_the_hour: 1 }, world.keys.stranger)).toMatchObject({
      status: 404,
      body: unknown.body,
    })
    expect(await server.send('DELETE', `${path}${id}/`, world.keys.stranger)).toMatchObject({
      status: 404,
      body: unknown.body,
    })
    expect((await server.send('DELETE', `${path}${id}/`, world.keys.renter)).status).toBe(200)
    expect(await update(id, { min_of_the_hour: 1 })).toMatchObject({ status: 404, body: unknown.body })
    expect(await read(id)).toBeUndefined()
    expect((await create({ instance_id: world.instance_id }, world.keys.stranger)).status).toBe(404)
    const own = await create({ instance_id: null }, world.keys.stranger)
    expect((await update(own.id, { instance_id: world.instance_id }, world.keys.stranger)).status).toBe(404)
  })

  it('nothing is changed when the update fails', async () => {
    const { id } = await create()
    await server.postgres.query(
      `ALTER TABLE scheduled_jobs ADD CONSTRAINT broken CHECK (min_of_the_hour <> 59)`,
    )
    expect(await update(id, { min_of_the_hour: 59, request_method: 'PUT' })).toMatchObject({
      status: 500,
      body: { success: false, error: 'update_failed', msg: expect.stringMatching(/^Internal error/) },
    })
    await server.postgres.query('ALTER TABLE scheduled_jobs DROP CONSTRAINT broken')
    expect(await read(id)).toMatchObject(fields())
  })

  it('a repeated creation makes no second job', async () => {
    const answers = await atOnce(20, () => create({ request_body: { docker_login_pass: 'x', a: [1] } }))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect((await create({ request_body: { a: [2] } })).id).not.toBe(answers[0]?.id)
  })

  it('bodies are encrypted at rest, and what is secret in them is not shown', async () => {
    const { id } = await create({
      request_body: { note: 'find-me', templates: [{ docker_login_pass: 'hide-me' }] },
    })
    const { rows } = await server.postgres.query<{ row: string }>(
      'SELECT row_to_json(j)::text AS row FROM scheduled_jobs j',
    )
    expect(rows[0]?.row).not.toMatch(/find-me|hide-me/)
    const shown = await read(id)
    expect(shown?.request_body).toEqual({ note: 'find-me', templates: [{ docker_login_pass: '***' }] })
    // A client that sends back what it has read changes nothing.
    await update(id, {
      request_body: shown?.request_body,
      min_of_the_hour: 5,
      start_time: 1,
    })
    const sent: Body[] = []
    await runAt(server.clock.now() + hour, async ({ body }) => {
      sent.push(body)
      return { status: 200, body: '{}' }
    })
    expect(sent).toEqual([{ note: 'find-me', templates: [{ docker_login_pass: 'hide-me' }] }])
  })
})

describe('secrets in bodies', () => {
  const body = (docker_login_pass: string, note = 'a') => ({ note, list: [{ docker_login_pass }] })
  const sentBy = async (now: number) => {
    const sent: unknown[] = []
    await runAt(now, async ({ body }) => {
      sent.push(body)
      return { status: 200, body: '{}' }
    })
    return sent
  }

  it('a hidden secret is never sent to another endpoint', async () => {
    const { id } = await create({ request_body: body('hide-me') })
    const refused = { status: 400, body: { error: 'invalid_args', msg: expect.stringContaining('***') } }
    for (const changes of [
      { request_body: body('***', 'b') },
      { request_body: { code: '***' } },
      { request_body: body('***'), api_endpoint: '/api/v0/volumes' },
      { api_endpoint: '/api/v0/volumes' },
      { request_method: 'POST' },
    ])
      expect(await update(id, changes)).toMatchObject(refused)
    expect((await update(id, { request_body: body('***'), min_of_the_hour: 0 })).status).toBe(200)
    expect(await sentBy(future)).toEqual([body('hide-me')])
    expect(
      (await update(id, { request_body: body('new', 'b'), api_endpoint: '/api/v0/volumes' })).status,
    ).toBe(200)
    expect(await sentBy(future + hour)).toEqual([body('new', 'b')])
  })

  it('jobs that differ in what is hidden are different jobs', async () => {
    const first = await create({ request_body: body('one') })
    expect((await create({ request_body: body('two') })).id).not.toBe(first.id)
    expect((await create({ request_body: body('one') })).id).toBe(first.id)
  })
})

describe('a job runs', () => {
  it('at its slots, each once, as its owner', async () => {
    const { id } = await create({
      api_endpoint: `/api/v0/users/${world.renter_id}/templates`,
      request_method: 'POST',
      request_body: { templates: [{ name: 'made', image: 'x' }] },
    })
    expect(await runAt(future - 1)).toEqual([])
    expect(await runAt(future)).toEqual(['ok'])
    expect(await runAt(future + 60)).toEqual([])
    expect(await read(id)).toMatchObject({
      status: 'PENDING',
      next_run: future + hour,
      last_executed_around: expect.any(Number),
      last_status_code: 200,
      last_outcome: 'ok',
    })
    expect(
      (await server.get(`/api/v0/users/${world.renter_id}/templates`, world.keys.renter)).body,
    ).toMatchObject({ templates: [{ name: 'made', creator_id: world.renter_id }] })
    const { rows } = await server.postgres.query(`SELECT FROM api_keys WHERE name LIKE 'scheduled job %'`)
    expect(rows).toEqual([])
  })

  it('whatever many workers find due, one call is made', async () => {
    await create()
    let calls = 0
    const call: CallForJob = async () => {
      calls += 1
      return { status: 200, body: '' }
    }
    const runs = (await atOnce(8, () => dueRuns(server.postgres, future))).flat()
    await Promise.all(runs.map((run) => performRun({ ...server, callApi: call }, run)))
    expect(calls).toBe(1)
  })

  it('once after a pause, not for every slot that it missed, and not past its end', async () => {
    const { id } = await create({ end_time: future + 3 * hour })
    expect(await runAt(future + 50 * hour)).toEqual(['ok'])
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', next_run: null })
    const { rows } = await server.postgres.query(
      'SELECT extract(epoch FROM slot)::int AS slot FROM scheduled_job_runs',
    )
    expect(rows).toEqual([{ slot: future + 2 * hour }])
  })

  it('never again in a slot that it has run at, and again after its minute was changed', async () => {
    await server.clock.hold()
    const { id } = await create({ start_time: 0 })
    const now = Math.floor(server.clock.now())
    expect(await runAt(now + hour)).toEqual(['ok'])
    const minute = Math.floor(now / 60) + 2
    const soon = (minute % 60 === 0 ? minute + 1 : minute) * 60 // the job runs at full hours already
    expect((await update(id, { min_of_the_hour: (soon / 60) % 60 })).status).toBe(200)
    expect((await read(id))?.next_run).toBe(soon)
    expect(await runAt(soon)).toEqual(['ok'])
    expect((await update(id, { min_of_the_hour: (soon / 60) % 60, start_time: soon - 60 })).status).toBe(200)
    expect(await runAt(soon)).toEqual([])
  })

  it('a completed job that gets a later end runs again', async () => {
    const { id } = await create({ start_time: 1000, end_time: 2000 })
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', next_run: null })
    await update(id, { end_time: future })
    expect(await read(id)).toMatchObject({ status: 'PENDING', next_run: expect.any(Number) })
  })

  it('at a slot that was due before another field was changed', async () => {
    await server.clock.hold()
    const { id } = await create()
    await server.postgres.query(
      `UPDATE scheduled_jobs SET start_time = 'epoch', next_run_at = date_trunc('hour', rackrate_now()) WHERE id = $1`,
      [id],
    )
    const due = (await read(id))?.next_run
    expect((await update(id, { request_body: { a: 1 }, frequency: 'HOURLY' })).status).toBe(200)
    expect((await read(id))?.next_run).toBe(due)
    expect(await runAt(server.clock.now())).toEqual(['ok'])
  })

  it('the same however finely its times were given', async () => {
    const first = await create({ start_time: future + 0.1234567, end_time: future + 1e6 + 1 / 3 })
    expect((await create({ start_time: future + 0.1234567, end_time: future + 1e6 + 1 / 3 })).id).toBe(
      first.id,
    )
  })

  it("is its last writer's", async () => {
    const { id } = await create({ instance_id: null }, world.keys.team)
    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO accounts (name) VALUES ('Leaver') RETURNING id`,
    )
    const leaver = rows[0]?.id ?? 0
    await server.postgres.query(
      `INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE name = 'manager'`,
      [world.team_id, leaver],
    )
    const { key } = await createKey(server.postgres, { accountId: world.team_id, createdBy: leaver })
    expect(
      (await update(id, { request_method: 'GET', api_endpoint: '/api/v0/team/members' }, key)).status,
    ).toBe(200)
    await server.postgres.query('DELETE FROM team_members WHERE user_id = $1', [leaver])
    expect(await runAt(future)).toEqual(['auth_error: Invalid user key'])
  })

  it('within what the key that wrote it may do', async () => {
    const narrow = await keyWith(server, world.renter_id, 'instance_write')
    const { id } = await create({}, narrow)
    expect(await runAt(future)).toEqual([expect.stringMatching(/^forbidden: /)])
    expect(await read(id)).toMatchObject({ last_status_code: 403 })
  })

  it("within the owner's present permissions", async () => {
    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO accounts (name) VALUES ('Operator') RETURNING id`,
    )
    const person = rows[0]?.id ?? 0
    await server.postgres.query(
      `INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE name = 'manager'`,
      [world.team_id, person],
    )
    const { key } = await createKey(server.postgres, { accountId: world.team_id, createdBy: person })
    const { id } = await create({ instance_id: null }, key)
    expect(await runAt(future)).toEqual(['ok'])
    await server.postgres.query(
      `UPDATE team_members SET role_id = (SELECT id FROM roles WHERE name = 'member') WHERE user_id = $1`,
      [person],
    )
    expect(await runAt(future + hour)).toEqual([expect.stringMatching(/^forbidden: /)])
    await server.postgres.query('DELETE FROM team_members WHERE user_id = $1', [person])
    expect(await runAt(future + 2 * hour)).toEqual(['auth_error: Invalid user key'])
    expect(await read(id, world.keys.team)).toMatchObject({
      last_status_code: 401,
      next_run: future + 3 * hour,
    })
  })

  it('a call that was cut short is made again, but a POST is not', async () => {
    const call: CallForJob = async () => {
      throw new Error('the process died')
    }
    const get = await create({ request_method: 'GET' })
    const post = await create({ request_method: 'POST' })
    for (const run of await dueRuns(server.postgres, future))
      await expect(performRun({ ...server, callApi: call }, run)).rejects.toThrow('died')
    // Another process may still be executing it.
    expect(await runAt(future + 1)).toEqual([undefined, undefined])
    await server.postgres.query(`UPDATE scheduled_job_runs SET called_at = called_at - interval '91 seconds'`)
    expect((await runAt(future + 2)).sort()).toEqual(['Interrupted; not repeated', 'ok'])
    expect(await read(get.id)).toMatchObject({ last_outcome: 'ok', status: 'PENDING' })
    expect(await read(post.id)).toMatchObject({
      last_outcome: 'Interrupted; not repeated',
      last_status_code: null,
      status: 'PENDING',
    })
  })

  it('no more once it is deleted', async () => {
    const { id } = await create()
    const runs = await dueRuns(server.postgres, future)
    await server.send('DELETE', `${path}${id}`, world.keys.renter)
    expect(
      await Promise.all(runs.map((run) => performRun({ ...server, callApi: throughApi() }, run))),
    ).toEqual(['The job was deleted before it ran'])
    expect(await runAt(future + hour)).toEqual([])
  })
})
