import type { Permissions } from '../contract/permissions.ts'
import { createKey } from '../platform/security/api-keys.ts'
import { type Operation, readContract } from './contract.ts'
import { startServer, type TestServerOptions } from './server.ts'
import { openWorld } from './world.ts'

export type Caller = 'renter' | 'host' | 'stranger' | 'team' | 'member' | 'admin'

/** The status that each caller gets; a caller that is not named gets `others`. */
export interface Row extends Partial<Record<Caller, number>> {
  others: number
  /** The path, after creating what it needs. */
  path: () => string | Promise<string>
  body?: () => unknown
  /** The same path for something that does not exist: both must get the same answer. */
  nothing?: string
  /** The request ends its key, so it is sent with a copy of the key. */
  endsKey?: true
  /** No key is needed. */
  isPublic?: true
}

/** The target and the rails of a rule of the autopilot. */
const pilotSettings = JSON.stringify({
  target: { kind: 'median', offset_percent: 0 },
  floor: null,
  ceiling: null,
  largest_step: 0.1,
  hours_between: 6,
  changes_a_day: 4,
  quiet: null,
  idle: null,
})

/** Every operation with a request for it, on a server of its own. Every answer is checked against the OpenAPI document. */
export async function openOperations(options: TestServerOptions = {}) {
  const server = await startServer(options)
  const world = await openWorld(server)
  const contract = await readContract(server.app)
  const keys: Record<Caller, string> = { ...world.keys, admin: server.adminKey, member: await memberKey() }

  async function memberKey(): Promise<string> {
    const member = (await insert(`INSERT INTO accounts (name) VALUES ('Member')`, [])) ?? 0
    await server.postgres.query(
      `INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE team_id = $1 AND name = 'operator'`,
      [world.team_id, member],
    )
    return (await createKey(server.postgres, { accountId: world.team_id, createdBy: member })).key
  }
  async function insert(sql: string, values: unknown[]): Promise<number | undefined> {
    return (await server.postgres.query<{ id: number }>(`${sql} RETURNING id`, values)).rows[0]?.id
  }

  let listing = 0
  let template = 0
  let sequence = 0
  const next = () => {
    sequence += 1
    return sequence
  }

  const renterJob = async () =>
    (
      (
        await server.send('POST', '/api/v0/commands/schedule_job', keys.renter, {
          ...job(),
          min_of_the_hour: next() % 60,
        })
      ).body as { scheduled_job_id: number }
    ).scheduled_job_id
  const teamRole = () =>
    insert(`INSERT INTO roles (team_id, name, permissions) VALUES ($1, $2, '{"api": {}}')`, [
      world.team_id,
      `role ${next()}`,
    ])
  const teamMember = async () => {
    const id = await insert(`INSERT INTO accounts (name) VALUES ('Passing')`, [])
    await addMembers(id ?? 0)
    return id
  }
  const addMembers = (...ids: number[]) =>
    server.postgres.query(
      'INSERT INTO team_members (team_id, user_id) SELECT $1, unnest($2::int[]) ON CONFLICT DO NOTHING',
      [world.team_id, ids],
    )
  const job = () => ({
    start_time: 1_900_000_000,
    api_endpoint: '/api/v0/ssh',
    request_method: 'GET',
    frequency: 'HOURLY',
  })
  const taskToken = async (fetched: boolean) => {
    await server.postgres.query('DELETE FROM host_tasks')
    await server.send('POST', '/api/v0/commands/copytool', keys.renter, copy())
    const { body } = await server.get(`/api/v0/machines/${world.machine_id}/tasks`, keys.host)
    const token = (body as { tasks: { token: string }[] }).tasks[0]?.token ?? ''
    if (fetched) await server.send('POST', `/api/v0/host_tasks/${token}/fetch`, keys.host)
    return token
  }
  const copy = () => ({
    instance_id: world.instance_id,
    src: '/a',
    dst: '/b',
    selected: world.cloud_connection_id,
    transfer: 'Instance To Cloud',
  })
  /** The name of keys that a row creates: the number of a person's keys is limited. */
  const passing = 'passing'
  const noToken = '0'.repeat(64)
  // A member's role has neither user nor machine permissions, nor team_write.
  const everybodysOwn = { others: 200, member: 403 }
  const adminsOnly = { others: 403, admin: 200 }
  const hostsOnly = { others: 403, host: 200, admin: 200 }
  const hostsRefused = { others: 403, host: 400, admin: 400 }
  const hostsAlert = { others: 403, host: 200, admin: 404 }
  const autopilotPath = '/api/v0/metrics/autopilot'
  const noDecision = '00000000-0000-4000-8000-000000000000'
  /** The renter and admins reach the account of the renter, and have no proof. */
  const ofOneAccount = (path: () => string) => ({
    path,
    body: () => ({}),
    nothing: path().replace(/\d+(?=\/export|$)/, '999999'),
    others: 404,
    renter: 400,
    admin: 400,
    member: 403,
  })
  const pilotRule = () => ({ name: 'median', target: { kind: 'median' } })
  const hostsPilotRule = () =>
    insert(
      `INSERT INTO autopilot_rules (account_id, created_by, name, settings, email)
       VALUES ($1, $1, 'median', '${pilotSettings}', false)`,
      [world.host_id],
    )
  const alertRule = () => ({ name: 'old data', condition: { kind: 'data_age', minutes: 30 } })
  const hostsRule = () =>
    insert(
      `INSERT INTO alert_rules (account_id, created_by, name, condition, email)
       VALUES ($1, $1, 'old data', '{"kind": "data_age", "minutes": 30}', false)`,
      [world.host_id],
    )
  const hostsShare = () =>
    insert(
      `INSERT INTO shared_charts (account_id, key_id, token_hash, chart)
       SELECT $1, min(id), sha256(random()::text::bytea), '{"query": "gpu_name=L4", "metric": "price"}' FROM api_keys WHERE account_id = $1`,
      [world.host_id],
    )
  const dashboard = async () => {
    const id = await insert(`INSERT INTO dashboards (name, panels) VALUES ($1, '[]')`, [
      `dashboard ${next()}`,
    ])
    return `/api/v0/metrics/sql/dashboards/${id}`
  }
  const wrongProof = { others: 400, team: 403, member: 403 }

  /** Every operation. A route that is missing here fails the test. */
  const rows: Record<string, Row> = {
    'GET /api/v0/metrics/gpu/history': {
      path: () => '/api/v0/metrics/gpu/history',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/names': {
      path: () => '/api/v0/metrics/gpu/names',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/gpu_names/unique': { path: () => '/api/v0/gpu_names/unique', others: 200, isPublic: true },
    'GET /api/v0/gpu_types': { path: () => '/api/v0/gpu_types', others: 200, isPublic: true },
    'GET /api/v0/metrics/gpu/list-prices': {
      path: () => '/api/v0/metrics/gpu/list-prices',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/official': {
      path: () => '/api/v0/metrics/gpu/official',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/sources': {
      path: () => '/api/v0/metrics/sources',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/recording': { path: () => '/api/v0/metrics/recording', ...adminsOnly },
    'GET /api/v0/metrics/gpu/offers': { path: () => '/api/v0/metrics/gpu/offers', others: 200 },
    'GET /api/v0/metrics/live': {
      path: () => '/api/v0/metrics/live?seconds=0',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/current': {
      path: () => '/api/v0/metrics/gpu/current',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/depth': {
      path: () => '/api/v0/metrics/gpu/depth',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/prices': {
      path: () => '/api/v0/metrics/gpu/prices',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/availability': {
      path: () => '/api/v0/metrics/gpu/availability',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/revenue': {
      path: () => '/api/v0/metrics/gpu/revenue',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/fill': {
      path: () => '/api/v0/metrics/gpu/fill',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/returns': {
      path: () => '/api/v0/metrics/gpu/returns',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/worth': {
      path: () => '/api/v0/metrics/gpu/worth',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/income-by-terms': {
      path: () => '/api/v0/metrics/gpu/income-by-terms?gpu_name=L4',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/fill-by-terms': {
      path: () => '/api/v0/metrics/gpu/fill-by-terms?gpu_name=L4',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/time-to-rent': {
      path: () => '/api/v0/metrics/gpu/time-to-rent?gpu_name=L4',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/rental-hours': {
      path: () => '/api/v0/metrics/gpu/rental-hours?gpu_name=L4',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/index': {
      path: () => '/api/v0/metrics/gpu/index',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/locations': {
      path: () => '/api/v0/metrics/gpu/locations',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/places': {
      path: () => '/api/v0/metrics/gpu/places',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/terms': {
      path: () => '/api/v0/metrics/gpu/terms',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/churn': {
      path: () => '/api/v0/metrics/gpu/churn',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/tiers': {
      path: () => '/api/v0/metrics/gpu/tiers',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/dispersion': {
      path: () => '/api/v0/metrics/gpu/dispersion',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/forecast': {
      path: () => '/api/v0/metrics/gpu/forecast',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/events': {
      path: () => '/api/v0/metrics/gpu/events',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/gpu/thin': {
      path: () => '/api/v0/metrics/gpu/thin',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines': {
      path: () => '/api/v0/metrics/machines',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines/advice': {
      path: () => '/api/v0/metrics/machines/advice',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines/income': {
      path: () => '/api/v0/metrics/machines/income',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines/start': {
      path: () => '/api/v0/metrics/machines/start?gpu_name=L4',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines/advice/record': {
      path: () => '/api/v0/metrics/machines/advice/record',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines/term-advice': {
      path: () => '/api/v0/metrics/machines/term-advice',
      others: 403,
      host: 200,
      admin: 200,
    },
    'GET /api/v0/metrics/machines/{id}/replay': {
      path: () => `/api/v0/metrics/machines/${world.machine_id}/replay`,
      ...hostsAlert,
    },
    'GET /api/v0/metrics/costs': { path: () => '/api/v0/metrics/costs', ...hostsOnly },
    'PUT /api/v0/metrics/costs': {
      path: () => '/api/v0/metrics/costs',
      body: () => ({ kwh_price: 0.2 }),
      ...hostsOnly,
    },
    'PUT /api/v0/metrics/costs/machines/{id}': {
      path: () => `/api/v0/metrics/costs/machines/${world.machine_id}`,
      body: () => ({ fee_percent: 20 }),
      ...hostsAlert,
    },
    'DELETE /api/v0/metrics/costs/machines/{id}': {
      path: () => `/api/v0/metrics/costs/machines/${world.machine_id}`,
      ...hostsAlert,
    },
    // The site has no source.
    'GET /api/v0/metrics/claims': { path: () => '/api/v0/metrics/claims', ...hostsOnly },
    'PUT /api/v0/metrics/claims': {
      path: () => '/api/v0/metrics/claims',
      body: () => ({ hosts: [1] }),
      ...hostsRefused,
    },
    'DELETE /api/v0/metrics/claims': { path: () => '/api/v0/metrics/claims', ...hostsRefused },
    'GET /api/v0/metrics/claims/find': { path: () => '/api/v0/metrics/claims/find?id=1', ...hostsRefused },
    'POST /api/v0/shares': {
      path: () => '/api/v0/shares',
      body: () => ({ query: 'gpu_name=L4', last: 86_400, metric: 'price' }),
      ...hostsOnly,
    },
    'GET /api/v0/shares': { path: () => '/api/v0/shares', ...hostsOnly },
    'DELETE /api/v0/shares/{id}': {
      path: async () => `/api/v0/shares/${await hostsShare()}`,
      others: 403,
      host: 200,
      admin: 404,
    },
    // An unknown link; history-contract.test.ts has the valid ones.
    'GET /api/v0/shared/{token}': {
      path: () => `/api/v0/shared/${noToken}`,
      others: 404,
      isPublic: true,
    },
    'GET /api/v0/shared/{token}/picture': {
      path: () => `/api/v0/shared/${noToken}/picture`,
      others: 404,
      isPublic: true,
    },
    'GET /api/v0/users/current': { path: () => '/api/v0/users/current', others: 200 },
    'POST /api/v0/metrics/sql': {
      path: () => '/api/v0/metrics/sql',
      body: () => ({ query: 'SELECT 1' }),
      others: 403,
      admin: server.adHoc ? 200 : 501,
    },
    'GET /api/v0/metrics/sql/schema': { path: () => '/api/v0/metrics/sql/schema', ...adminsOnly },
    'GET /api/v0/metrics/sql/queries': { path: () => '/api/v0/metrics/sql/queries', ...adminsOnly },
    'GET /api/v0/metrics/sql/saved': { path: () => '/api/v0/metrics/sql/saved', ...adminsOnly },
    'POST /api/v0/metrics/sql/saved': {
      path: () => '/api/v0/metrics/sql/saved',
      body: () => ({ name: 'one', query: 'SELECT 1' }),
      ...adminsOnly,
    },
    'DELETE /api/v0/metrics/sql/saved/{id}': {
      path: async () => {
        const { rows } = await server.postgres.query<{ id: number }>(
          `INSERT INTO saved_queries (account_id, name, query) SELECT id, $1, 'SELECT 1' FROM accounts WHERE is_admin RETURNING id`,
          [`query ${next()}`],
        )
        return `/api/v0/metrics/sql/saved/${rows[0]?.id}`
      },
      ...adminsOnly,
    },
    'GET /api/v0/metrics/sql/dashboards': { path: () => '/api/v0/metrics/sql/dashboards', ...adminsOnly },
    'POST /api/v0/metrics/sql/dashboards': {
      path: () => '/api/v0/metrics/sql/dashboards',
      body: () => ({ name: `dashboard ${next()}`, panels: [{ name: 'one', query: 'SELECT 1' }] }),
      ...adminsOnly,
    },
    'GET /api/v0/metrics/sql/dashboards/{id}': { path: dashboard, ...adminsOnly },
    'PUT /api/v0/metrics/sql/dashboards/{id}': {
      path: dashboard,
      body: () => ({ name: `dashboard ${next()}`, revision: 1 }),
      ...adminsOnly,
    },
    'DELETE /api/v0/metrics/sql/dashboards/{id}': { path: dashboard, ...adminsOnly },
    'POST /api/v0/metrics/sql/downloads': {
      path: () => '/api/v0/metrics/sql/downloads',
      body: () => ({ query: 'SELECT 1' }),
      ...adminsOnly,
    },
    // An unknown ticket; sql-downloads.test.ts has the valid ones.
    'GET /api/v0/metrics/sql/downloads/{token}': {
      path: () => `/api/v0/metrics/sql/downloads/${noToken}`,
      others: 404,
      isPublic: true,
    },
    'POST /api/v0/volumes': {
      path: () => '/api/v0/volumes',
      body: () => ({ machine: world.machine_id }),
      others: 400,
      host: 200,
    },
    'GET /api/v0/machines/{id}/volumes': {
      path: () => `/api/v0/machines/${world.machine_id}/volumes`,
      nothing: '/api/v0/machines/999999/volumes',
      others: 404,
      host: 200,
    },
    'POST /api/v0/volumes/unlist': {
      path: async () => {
        await server.postgres.query(
          'UPDATE volume_listings SET ended_at = rackrate_now() WHERE ended_at IS NULL',
        )
        listing =
          (await insert(
            `INSERT INTO volume_listings (machine_id, size, price_disk, end_date) VALUES ($1, 10, 1, rackrate_now() + interval '1 day')`,
            [world.machine_id],
          )) ?? 0
        return '/api/v0/volumes/unlist'
      },
      body: () => ({ id: listing }),
      others: 400,
      host: 200,
    },
    'POST /api/v0/commands/copytool': {
      path: () => '/api/v0/commands/copytool',
      body: copy,
      others: 404,
      renter: 200,
    },
    'GET /api/v0/commands/copytool/results/{id}': {
      path: async () => {
        await server.send('POST', `/api/v0/host_tasks/${await taskToken(true)}/log`, keys.host, {
          offset: 0,
          text: 'x',
        })
        const { rows } = await server.postgres.query<{ result_id: string }>(
          'SELECT result_id FROM host_tasks',
        )
        return `/api/v0/commands/copytool/results/${rows[0]?.result_id}`
      },
      others: 200,
      isPublic: true,
    },
    'GET /api/v0/machines/{id}/tasks': {
      path: () => `/api/v0/machines/${world.machine_id}/tasks`,
      nothing: '/api/v0/machines/999999/tasks',
      others: 404,
      host: 200,
      member: 403,
    },
    'POST /api/v0/host_tasks/{token}/fetch': {
      path: async () => `/api/v0/host_tasks/${await taskToken(false)}/fetch`,
      nothing: `/api/v0/host_tasks/${noToken}/fetch`,
      others: 404,
      host: 200,
      member: 403,
    },
    'POST /api/v0/host_tasks/{token}/log': {
      path: async () => `/api/v0/host_tasks/${await taskToken(true)}/log`,
      body: () => ({ offset: 0, text: 'x' }),
      nothing: `/api/v0/host_tasks/${noToken}/log`,
      others: 404,
      host: 200,
      member: 403,
    },
    'POST /api/v0/host_tasks/{token}/finish': {
      path: async () => `/api/v0/host_tasks/${await taskToken(true)}/finish`,
      body: () => ({ exit_code: 0 }),
      nothing: `/api/v0/host_tasks/${noToken}/finish`,
      others: 404,
      host: 200,
      member: 403,
    },
    'GET /api/v0/users/cloud_integrations': {
      path: () => '/api/v0/users/cloud_integrations',
      ...everybodysOwn,
    },
    'POST /api/v0/users/cloud_integrations': {
      path: () => '/api/v0/users/cloud_integrations',
      body: () => ({ name: 'mine', cloud_type: 'dropbox', credentials: { token: 'a token' } }),
      ...everybodysOwn,
    },
    'DELETE /api/v0/users/cloud_integrations/{id}': {
      path: async () =>
        `/api/v0/users/cloud_integrations/${await insert(`INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed) VALUES ($1, 'x', 's3', '')`, [world.renter_id])}`,
      nothing: '/api/v0/users/cloud_integrations/999999',
      others: 404,
      renter: 200,
      member: 403,
    },
    'POST /api/v0/tfa/email': {
      path: async () => {
        await server.postgres.query('DELETE FROM tfa_challenges')
        return '/api/v0/tfa/email'
      },
      others: 200,
      admin: 400, // made on the command line, without an address
      team: 400,
      member: 403,
    },
    'PUT /api/v0/tfa/regen-backup-codes': {
      path: () => '/api/v0/tfa/regen-backup-codes',
      body: () => ({}),
      ...wrongProof,
    },
    'POST /api/v0/tfa/totp-setup': {
      path: () => '/api/v0/tfa/totp-setup',
      others: 200,
      team: 403,
      member: 403,
    },
    'POST /api/v0/tfa/test': {
      path: async () => {
        await server.postgres.query('DELETE FROM tfa_challenges')
        await server.postgres.query('DELETE FROM outbox')
        return '/api/v0/tfa/test'
      },
      body: () => ({ phone_number: '+15550009999' }),
      others: 200,
      team: 403,
      member: 403,
    },
    'POST /api/v0/tfa/resend': {
      path: () => '/api/v0/tfa/resend',
      body: () => ({ secret: 'x' }),
      ...wrongProof,
    },
    'POST /api/v0/tfa/test-submit': {
      path: () => '/api/v0/tfa/test-submit',
      body: () => ({ code: '123456' }),
      ...wrongProof,
    },
    'GET /api/v0/tfa/status': { path: () => '/api/v0/tfa/status', others: 200, team: 403, member: 403 },
    'DELETE /api/v0/tfa': { path: () => '/api/v0/tfa', body: () => ({ target_id: 1 }), ...wrongProof },
    'POST /api/v0/users/{user_id}/templates': {
      path: () => `/api/v0/users/${world.renter_id}/templates`,
      body: () => ({ templates: [] }),
      nothing: '/api/v0/users/999999/templates',
      others: 404,
      renter: 200,
    },
    'GET /api/v0/users/{user_id}/templates': {
      path: () => `/api/v0/users/${world.renter_id}/templates`,
      nothing: '/api/v0/users/999999/templates',
      others: 404,
      renter: 200,
    },
    'DELETE /api/v0/template': {
      path: async () => {
        const saved = await server.send('POST', `/api/v0/users/${world.renter_id}/templates`, keys.renter, {
          templates: [{ name: `template ${next()}`, image: 'x' }],
        })
        template = (saved.body as { templates: { id: number }[] }).templates[0]?.id ?? 0
        return '/api/v0/template'
      },
      body: () => ({ template_id: template }),
      others: 404,
      renter: 200,
    },
    'POST /api/v0/team': {
      path: () => '/api/v0/team',
      body: () => ({ team_name: 'ours' }),
      others: 200,
      team: 403,
      member: 403,
    },
    'GET /api/v0/team': { path: () => '/api/v0/team', others: 200, team: 403, member: 403 },
    'PUT /api/v0/team': {
      path: () => '/api/v0/team',
      body: () => ({ team_name: 'Renamed' }),
      others: 403,
      team: 200,
    },
    // The team rents an instance here, so that it stays; team-changes.test.ts deletes one.
    'DELETE /api/v0/team': {
      path: async () => {
        await insert('INSERT INTO contracts (machine_id, account_id, price) VALUES ($1, $2, 1)', [
          world.machine_id,
          world.team_id,
        ])
        return '/api/v0/team'
      },
      others: 404,
      team: 400,
      member: 403,
    },
    'GET /api/v0/team/roles': { path: () => '/api/v0/team/roles', others: 403, team: 200, member: 200 },
    'POST /api/v0/team/roles': {
      path: () => '/api/v0/team/roles',
      body: () => ({ name: `role ${next()}`, permissions: { api: { misc: {} } } }),
      others: 403,
      team: 200,
    },
    'GET /api/v0/team/roles/{id}': {
      path: async () => {
        await server.postgres.query('DELETE FROM team_members WHERE user_id = $1', [world.stranger_id])
        await addMembers(world.host_id)
        return '/api/v0/team/roles/operator'
      },
      nothing: '/api/v0/team/roles/nonexistent',
      others: 404,
      team: 200,
      member: 200,
      renter: 200, // owns the team
      host: 200, // is a member
    },
    'PUT /api/v0/team/roles/{id}': {
      path: async () => `/api/v0/team/roles/${await teamRole()}`,
      body: () => ({ permissions: { api: { misc: {} } } }),
      others: 403,
      team: 200,
    },
    'DELETE /api/v0/team/roles/{id}': {
      path: async () => {
        await teamRole()
        return `/api/v0/team/roles/role%20${sequence}`
      },
      others: 403,
      team: 200,
    },
    'GET /api/v0/team/members': { path: () => '/api/v0/team/members', others: 403, team: 200, member: 200 },
    'POST /api/v0/team/members': {
      path: () => '/api/v0/team/members',
      body: () => ({ email: 'somebody@example.com' }),
      others: 403,
      team: 200,
    },
    'PUT /api/v0/team/members/{id}/roles': {
      path: async () => `/api/v0/team/members/${await teamMember()}/roles`,
      body: () => ({ role_id: 3 }),
      others: 403,
      team: 200,
    },
    'DELETE /api/v0/team/members/{id}': {
      path: async () => `/api/v0/team/members/${await teamMember()}`,
      others: 403,
      team: 200,
    },
    'GET /api/v0/team/invitations': { path: () => '/api/v0/team/invitations', others: 403, team: 200 },
    'DELETE /api/v0/team/invitations/{email}': {
      path: async () => {
        await server.postgres.query(
          `INSERT INTO team_invitations (team_id, email) VALUES ($1, 'guest@demo.invalid') ON CONFLICT DO NOTHING`,
          [world.team_id],
        )
        return '/api/v0/team/invitations/guest@demo.invalid'
      },
      others: 403,
      team: 200,
    },
    'POST /api/v0/team/leave': {
      path: async () => {
        await addMembers(world.stranger_id, world.host_id)
        return '/api/v0/team/leave'
      },
      body: () => ({ team_id: world.team_id }),
      others: 404,
      stranger: 200,
      renter: 403, // owns the team
      host: 200,
      team: 403,
      member: 403,
    },
    'POST /api/v0/team/join': {
      path: async () => {
        await server.postgres.query(
          `INSERT INTO team_invitations (team_id, email) VALUES ($1, 'stranger@demo.invalid') ON CONFLICT DO NOTHING`,
          [world.team_id],
        )
        await server.postgres.query('DELETE FROM team_members WHERE user_id = $1', [world.stranger_id])
        await addMembers(world.host_id)
        return '/api/v0/team/join'
      },
      body: () => ({ team_id: world.team_id }),
      others: 404,
      stranger: 200,
      host: 200, // is a member already
      team: 403,
      member: 403,
    },
    'POST /api/v0/team/members/{id}/roles': {
      path: async () => {
        await addMembers(world.host_id)
        await server.postgres.query('UPDATE team_members SET role_id = NULL WHERE user_id = $1', [
          world.host_id,
        ])
        return `/api/v0/team/members/${world.host_id}/roles`
      },
      body: () => ({ role: 'operator' }),
      others: 403,
      team: 200,
    },
    'PUT /api/v0/commands/schedule_job/{id}': {
      path: async () => `/api/v0/commands/schedule_job/${await renterJob()}`,
      body: () => ({ min_of_the_hour: 5 }),
      nothing: '/api/v0/commands/schedule_job/999999',
      others: 404,
      renter: 200,
    },
    'POST /api/v0/commands/schedule_job': {
      path: () => '/api/v0/commands/schedule_job',
      body: job,
      others: 200,
    },
    'GET /api/v0/commands/schedule_job': { path: () => '/api/v0/commands/schedule_job', others: 200 },
    'DELETE /api/v0/commands/schedule_job/{id}': {
      path: async () => `/api/v0/commands/schedule_job/${await renterJob()}`,
      nothing: '/api/v0/commands/schedule_job/999999',
      others: 404,
      renter: 200,
    },
    'POST /api/v0/volumes/search': {
      path: () => '/api/v0/volumes/search',
      body: () => ({}),
      others: 200,
    },
    'GET /api/v0/volumes': { path: () => '/api/v0/volumes', others: 200 },
    'GET /api/v0/machines': { path: () => '/api/v0/machines', ...everybodysOwn },
    'GET /api/v1/machines': { path: () => '/api/v1/machines', ...everybodysOwn },
    'GET /api/v0/machines/{id}': {
      path: () => `/api/v0/machines/${world.machine_id}`,
      nothing: '/api/v0/machines/999999',
      others: 404,
      host: 200,
      member: 403,
    },
    'GET /api/v1/instances': { path: () => '/api/v1/instances', others: 200 },
    'GET /api/v0/instances/filters': { path: () => '/api/v0/instances/filters', others: 200 },
    'GET /api/v0/instances/{id}': { path: () => `/api/v0/instances/${world.instance_id}`, others: 200 },
    'POST /api/v0/commands/rclone': {
      path: () => '/api/v0/commands/rclone',
      body: copy,
      others: 404,
      renter: 200,
    },
    'POST /api/v0/tfa': {
      path: () => '/api/v0/tfa',
      body: () => ({}),
      others: 401,
      team: 403,
      member: 403,
    },
    'POST /api/v0/tfa/authorize-new-method': {
      path: async () => {
        await server.postgres.query('DELETE FROM tfa_challenges')
        return '/api/v0/tfa/authorize-new-method'
      },
      others: 200,
      admin: 400, // made on the command line, without an address
      team: 403,
      member: 403,
    },
    'PUT /api/v0/tfa/authorize-new-method': {
      path: () => '/api/v0/tfa/authorize-new-method',
      body: () => ({ secret: 'x', code: '123456' }),
      ...wrongProof,
    },
    'POST /api/v0/tfa/confirm-new': {
      path: () => '/api/v0/tfa/confirm-new',
      body: () => ({ code: '123456' }),
      others: 403,
    },
    'POST /api/v0/tfa/sms': {
      path: async () => {
        await server.postgres.query('DELETE FROM tfa_challenges')
        await server.postgres.query('DELETE FROM outbox')
        return '/api/v0/tfa/sms'
      },
      body: () => ({ phone_number: '+15550009999' }),
      others: 200,
      team: 403,
      member: 403,
    },
    'POST /api/v0/tfa/sms/resend': {
      path: () => '/api/v0/tfa/sms/resend',
      body: () => ({ secret: 'x' }),
      ...wrongProof,
    },
    'PUT /api/v0/tfa/update': {
      path: () => '/api/v0/tfa/update',
      body: () => ({ tfa_method_id: 999_999 }),
      others: 404,
      team: 403,
      member: 403,
    },
    'GET /api/v0/template': { path: () => '/api/v0/template', ...everybodysOwn },
    'POST /api/v0/template': {
      path: () => '/api/v0/template',
      body: () => ({ name: 'one', image: 'x' }),
      ...everybodysOwn,
    },
    'PUT /api/v0/template': {
      path: () => '/api/v0/template',
      body: () => ({ hash_id: 'none' }),
      others: 404,
      member: 403,
    },
    'GET /api/v1/template': { path: () => '/api/v1/template', ...everybodysOwn },
    'PUT /api/v1/template': {
      path: () => '/api/v1/template',
      body: () => ({ id: 999_999 }),
      others: 404,
      member: 403,
    },
    'GET /api/v0/team/roles-full': {
      path: () => '/api/v0/team/roles-full',
      others: 403,
      team: 200,
      member: 200,
    },
    'POST /api/v0/team/invite': {
      path: () => '/api/v0/team/invite',
      body: () => ({ email: 'somebody@example.com', role: 'member' }),
      others: 403,
      team: 200,
    },
    // This team has no manager; official-calls.test.ts transfers a team.
    'PUT /api/v0/team/transfer': {
      path: () => '/api/v0/team/transfer',
      body: () => ({ new_team_owner_id: world.host_id }),
      others: 403,
      team: 400,
    },
    'GET /api/v0/changes': { path: () => '/api/v0/changes', others: 200 },
    // account-data.test.ts has proofs.
    'POST /api/v0/users/{user_id}/export': ofOneAccount(() => `/api/v0/users/${world.renter_id}/export`),
    'DELETE /api/v0/users/{user_id}': ofOneAccount(() => `/api/v0/users/${world.renter_id}`),
    'GET /api/v0/auth/apikeys/{id}': {
      path: async () =>
        `/api/v0/auth/apikeys/${(await createKey(server.postgres, { accountId: world.renter_id, name: passing })).id}`,
      nothing: '/api/v0/auth/apikeys/999999',
      others: 404,
      renter: 200,
      team: 404,
      member: 403,
    },
    'PUT /api/v0/commands/reset_apikey': {
      path: () => '/api/v0/commands/reset_apikey',
      body: () => ({ client_id: 'me' }),
      endsKey: true,
      ...everybodysOwn,
    },
    'GET /api/v0/alerts': { path: () => '/api/v0/alerts', ...hostsOnly },
    'POST /api/v0/alerts': {
      path: async () => {
        await server.postgres.query('DELETE FROM alert_rules')
        return '/api/v0/alerts'
      },
      body: alertRule,
      ...hostsOnly,
    },
    'GET /api/v0/alerts/{id}': { ...hostsAlert, path: async () => `/api/v0/alerts/${await hostsRule()}` },
    'PUT /api/v0/alerts/{id}': {
      ...hostsAlert,
      path: async () => `/api/v0/alerts/${await hostsRule()}`,
      body: alertRule,
    },
    'DELETE /api/v0/alerts/{id}': { ...hostsAlert, path: async () => `/api/v0/alerts/${await hostsRule()}` },
    'PUT /api/v0/alerts/{id}/silence': {
      ...hostsAlert,
      path: async () => `/api/v0/alerts/${await hostsRule()}/silence`,
      body: () => ({ until: null }),
    },
    'POST /api/v0/alerts/{id}/test': {
      ...hostsAlert,
      path: async () => {
        await server.postgres.query('DELETE FROM alert_accounts')
        return `/api/v0/alerts/${await hostsRule()}/test`
      },
    },
    'POST /api/v0/alerts/try': {
      path: () => '/api/v0/alerts/try',
      body: () => ({ condition: { kind: 'data_age', minutes: 30 } }),
      ...hostsOnly,
    },
    'GET /api/v0/alerts/messages': { path: () => '/api/v0/alerts/messages', ...hostsOnly },
    'GET /api/v0/alerts/feed': { path: () => '/api/v0/alerts/feed', ...hostsOnly },
    'POST /api/v0/alerts/feed': { path: () => '/api/v0/alerts/feed', ...hostsOnly },
    'DELETE /api/v0/alerts/feed': { path: () => '/api/v0/alerts/feed', ...hostsOnly },
    'GET /api/v0/alerts/feed/{token}': {
      path: () => `/api/v0/alerts/feed/${noToken}`,
      others: 404,
      isPublic: true,
    },
    'GET /api/v0/metrics/autopilot/rules': { path: () => `${autopilotPath}/rules`, ...hostsOnly },
    'POST /api/v0/metrics/autopilot/rules': {
      path: async () => {
        await server.postgres.query('DELETE FROM autopilot_rules')
        return `${autopilotPath}/rules`
      },
      body: pilotRule,
      ...hostsOnly,
    },
    'PUT /api/v0/metrics/autopilot/rules/{id}': {
      ...hostsAlert,
      path: async () => `${autopilotPath}/rules/${await hostsPilotRule()}`,
      body: pilotRule,
    },
    'DELETE /api/v0/metrics/autopilot/rules/{id}': {
      ...hostsAlert,
      path: async () => `${autopilotPath}/rules/${await hostsPilotRule()}`,
    },
    'PUT /api/v0/metrics/autopilot/rules/{id}/stage': {
      ...hostsAlert,
      path: async () => `${autopilotPath}/rules/${await hostsPilotRule()}/stage`,
      body: () => ({ stage: 'suggest' }),
    },
    'GET /api/v0/metrics/autopilot/rules/{id}/replay': {
      ...hostsAlert,
      path: async () => `${autopilotPath}/rules/${await hostsPilotRule()}/replay`,
    },
    'POST /api/v0/metrics/autopilot/try': {
      path: () => `${autopilotPath}/try`,
      body: () => ({ rule: pilotRule() }),
      ...hostsOnly,
    },
    'GET /api/v0/metrics/autopilot/suggestions': {
      path: () => `${autopilotPath}/suggestions`,
      ...hostsOnly,
    },
    'GET /api/v0/metrics/autopilot/decisions': { path: () => `${autopilotPath}/decisions`, ...hostsOnly },
    'POST /api/v0/metrics/autopilot/decisions/{id}/undo': {
      path: () => `${autopilotPath}/decisions/${noDecision}/undo`,
      body: () => ({}),
      host: 404,
      admin: 404,
      others: 403,
    },
    'PUT /api/v0/metrics/autopilot/stop': {
      path: () => `${autopilotPath}/stop`,
      body: () => ({ stopped: false }),
      ...hostsOnly,
    },
    'POST /api/v0/metrics/autopilot/apply': {
      path: () => `${autopilotPath}/apply`,
      body: () => ({ changes: [{ machine_id: 999_999, from: 1, price: 1.1 }] }),
      host: 404,
      admin: 404,
      others: 403,
    },
    'GET /api/v0/metrics/autopilot/audit': { path: () => `${autopilotPath}/audit`, admin: 200, others: 403 },
    'GET /api/v0/ssh': { path: () => '/api/v0/ssh', ...everybodysOwn },
    'POST /api/v0/ssh': {
      path: () => '/api/v0/ssh',
      body: () => ({
        ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF',
      }),
      ...everybodysOwn,
    },
    'PUT /api/v0/ssh/{id}': {
      path: async () =>
        `/api/v0/ssh/${await insert('INSERT INTO ssh_keys (account_id, public_key) VALUES ($1, $2)', [world.renter_id, `ssh-ed25519 AAAA number ${next()}`])}`,
      body: () => {
        const key = Buffer.from(
          'AAAAC3NzaC1lZDI1NTE5AAAAIAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF',
          'base64',
        )
        key.writeUInt32BE(next(), key.length - 4)
        return { ssh_key: `ssh-ed25519 ${key.toString('base64')}` }
      },
      nothing: '/api/v0/ssh/999999',
      others: 404,
      renter: 200,
      member: 403,
    },
    'DELETE /api/v0/ssh/{id}': {
      path: async () =>
        `/api/v0/ssh/${await insert('INSERT INTO ssh_keys (account_id, public_key) VALUES ($1, $2)', [world.renter_id, `ssh-ed25519 AAAA number ${next()}`])}`,
      nothing: '/api/v0/ssh/999999',
      others: 404,
      renter: 200,
      member: 403,
    },
    // sign-in.test.ts has valid links.
    'GET /api/v0/auth/sign-in': { path: () => '/api/v0/auth/sign-in', others: 200, isPublic: true },
    'POST /api/v0/auth/sign-in/mail': {
      path: () => '/api/v0/auth/sign-in/mail',
      body: () => ({ email: `nobody${next()}@example.com` }),
      others: 200,
      isPublic: true,
    },
    'POST /api/v0/auth/sign-in/look': {
      path: () => '/api/v0/auth/sign-in/look',
      body: () => ({ code: `1-${'0'.repeat(32)}` }),
      others: 400,
      isPublic: true,
    },
    'POST /api/v0/auth/sign-in': {
      path: () => '/api/v0/auth/sign-in',
      body: () => ({ code: `1-${'0'.repeat(32)}` }),
      others: 400,
      isPublic: true,
    },
    'DELETE /api/v0/auth/sign-in': { path: () => '/api/v0/auth/sign-in', others: 200 },
    'GET /api/v0/auth/apikeys': { path: () => '/api/v0/auth/apikeys', ...everybodysOwn },
    'POST /api/v0/auth/apikeys': {
      path: async () => {
        await server.postgres.query('DELETE FROM api_keys WHERE name = $1', [passing])
        return '/api/v0/auth/apikeys'
      },
      body: () => ({ name: passing }),
      ...everybodysOwn,
    },
    'DELETE /api/v0/auth/apikeys/{id}': {
      path: async () =>
        `/api/v0/auth/apikeys/${(await createKey(server.postgres, { accountId: world.renter_id, name: passing })).id}`,
      nothing: '/api/v0/auth/apikeys/999999',
      others: 404,
      renter: 200,
      member: 403,
    },
  }

  /** A key like the given one; the given one if it is not valid. */
  async function copyOf(key: string): Promise<string> {
    const { rows } = await server.postgres.query<{
      accountId: number
      createdBy: number
      permissions: Permissions
    }>(
      `SELECT account_id AS "accountId", created_by AS "createdBy", permissions FROM api_keys
       WHERE prefix = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > rackrate_now())`,
      [key.split('_')[1]],
    )
    return rows[0] ? (await createKey(server.postgres, { ...rows[0], name: passing })).key : key
  }

  const row = (name: string) => rows[name] as Row

  /** Calls an operation with the path and body of its row, or with the given ones. A text is sent as it is. */
  async function request(
    { name, method }: Operation,
    key: string | undefined,
    {
      path,
      body,
      headers,
    }: { path?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    // The path first: it creates what the body names.
    const url = path ?? (await row(name).path())
    const payload = body ?? row(name).body?.()
    const sent = key !== undefined && row(name).endsKey ? await copyOf(key) : key
    const response = await server.app.inject({
      method,
      url,
      headers: {
        ...headers,
        ...(sent !== undefined && { authorization: `Bearer ${sent}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && {
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
    })
    contract.expectKept(name, response)
    return response
  }

  return {
    server,
    world,
    keys,
    rows,
    row,
    request,
    operations: contract.operations,
    schemas: contract.schemas,
  }
}
