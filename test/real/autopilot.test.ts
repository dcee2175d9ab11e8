import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { runAutopilot } from '../../src/autopilot/run.ts'
import { type AutopilotWorld, median, openAutopilotWorld } from '../autopilot.ts'
import { atOnce, keyWith } from '../world.ts'

let site: AutopilotWorld
beforeAll(async () => {
  site = await openAutopilotWorld()
  const { clock } = site.server
  const slot = Math.floor(clock.now() / 300) * 300
  await clock.hold(slot + 60)
  for (const at of [slot - 300, slot]) await site.land(0.4, { at })
})
afterAll(() => site?.server.close())
beforeEach(() => site.reset())

/** Costs of the given thousandths of a dollar per rented hour. */
async function enterCosts(watts_load: number): Promise<void> {
  const known = { kwh_price: 1, watts_idle: 0, watts_load, fee_percent: 0 }
  const costs = { ...known, other_per_month: null, purchase_price: null, months: null }
  const { status } = await site.server.send('PUT', '/api/v0/metrics/costs', site.world.keys.host, costs)
  expect(status).toBe(200)
}

/** The listing without its price. */
const terms = async () => {
  const query = `SELECT to_jsonb(l) - 'price' AS terms FROM gpu_listings l ORDER BY id`
  return (await site.server.postgres.query(query)).rows
}

describe('rules', () => {
  it('are made, listed, changed and deleted', async () => {
    const rule = await site.rule({ quiet: { from: 22, to: 6 }, idle: { hours: 12, drop_percent: 5 } })
    expect(rule).toMatchObject({
      stage: 'suggest',
      dry_run_since: null,
      live_from: null,
      stop_reason: null,
      ceiling: null,
      target: { kind: 'median', offset_percent: 0 },
      quiet: { from: 22, to: 6 },
    })
    const changed = await site.send('PUT', `/rules/${rule.id}`, { ...median, gpu_name: 'rtx_4090' })
    expect(changed.body).toMatchObject({ rule: { id: rule.id, gpu_name: 'RTX 4090', quiet: null } })
    expect(await site.rules()).toEqual([(changed.body as { rule: object }).rule])
    const { target } = await site.rule({ target: { kind: 'recommended' } })
    expect(target).toEqual({ kind: 'recommended', own_results: { raise_above: 70, lower_below: 40 } })
    const answers = await atOnce(3, () => site.send('DELETE', `/rules/${rule.id}`))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  it.each([
    [{ floor: 2, ceiling: 1 }, 400, /floor must not be above the ceiling/],
    [{ target: { kind: 'percentile', percentile: 0 } }, 400, /target/],
    [{ target: { kind: 'price', price: 1 } }, 400, /target/],
    [
      { target: { kind: 'recommended', own_results: { raise_above: 30, lower_below: 40 } } },
      400,
      /lower_below must not be above raise_above/,
    ],
    [{ largest_step: 0.9 }, 400, /largest_step/],
    [{ machine_id: 99_999 }, 404, /There is no such machine/],
    [{ machine_id: 1, gpu_name: 'RTX 4090' }, 400, /gpu_name must be null beside machine_id/],
    [{ source: 'nope' }, 400, /one market/],
    [{ webhook_url: 'http://10.0.0.1/' }, 400, /public internet/],
    [{ command: ['rm'] }, 400, /unknown fields: command/],
  ])('are refused: %j', async (body, status, message) => {
    const answer = await site.send('POST', '/rules', { ...median, ...body })
    expect([answer.status, (answer.body as { msg: string }).msg]).toEqual([
      status,
      expect.stringMatching(message),
    ])
  })

  it('belong to their account: others get 404', async () => {
    const rule = await site.rule({}, 'live')
    await site.run()
    const [decision] = await site.ledger()
    const { adminKey } = site.server
    const answers = await Promise.all([
      site.send('PUT', `/rules/${rule.id}`, median, adminKey),
      site.send('PUT', `/rules/${rule.id}/stage`, { stage: 'suggest' }, adminKey),
      site.send('DELETE', `/rules/${rule.id}`, undefined, adminKey),
      site.send('POST', `/decisions/${decision?.id}/undo`, {}, adminKey),
      site.send(
        'POST',
        '/apply',
        { changes: [{ machine_id: site.world.machine_id, from: 0.4, price: 1 }] },
        adminKey,
      ),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await site.ledger(adminKey)).toEqual([])
    const audit = await site.server.get('/api/v0/metrics/autopilot/audit')
    expect(audit.body).toMatchObject({ decisions: [{ id: decision?.id, account_id: site.world.host_id }] })
    expect((await site.send('GET', '/audit')).status).toBe(403)
    const reader = await keyWith(site.server, site.world.host_id, 'machine_read')
    const writer = await keyWith(site.server, site.world.host_id, 'machine_write')
    for (const key of [reader, writer])
      expect((await site.send('POST', '/rules', median, key)).status).toBe(403)
  })
})

describe('stages', () => {
  it('suggest changes nothing, and reports it once', async () => {
    await site.rule()
    expect((await site.suggestions()).suggestions).toMatchObject([
      {
        machine_id: site.world.machine_id,
        price: 0.5,
        floor: 0.1,
        kind: 'change',
        new_price: 0.405,
        reason: expect.stringMatching(/^The median of its class is \$0\.40/),
      },
    ])
    expect(await site.ledger()).toEqual([])
    expect([await site.run(), await site.run()]).toEqual([1, 0])
    await site.server.postgres.query("UPDATE alert_progress SET slot = 1 WHERE what = 'autopilot'")
    expect(await site.run()).toBe(0)
    expect(await site.ledger()).toMatchObject([
      { kind: 'change', stage: 'suggest', state: 'noted', old_price: 0.5, adapter: null },
    ])
    expect(await site.price()).toBe(0.5)
  })

  it('a dry run keeps a record as if it were done', async () => {
    await site.rule({}, 'dry_run')
    await site.run()
    expect(await site.ledger()).toMatchObject([{ stage: 'dry_run', state: 'noted', old_price: 0.5 }])
    expect((await site.suggestions()).suggestions).toMatchObject([{ kind: 'none', price: 0.405 }])
    expect(await site.price()).toBe(0.5)
  })

  it('the replay of a dry run is of at most 100 machines, and is computed once an hour', async () => {
    const { postgres } = site.server
    const { id } = await site.rule({}, 'dry_run')
    await postgres.query("UPDATE autopilot_rules SET dry_run_since = rackrate_now() - interval '3 hours'")
    const would = (first: number, last: number) =>
      postgres.query(
        `INSERT INTO autopilot_decisions
           (account_id, rule_id, machine_id, gpu_name, num_gpus, slot, kind, stage, old_price, new_price, reason, figures, state, expires_at)
         SELECT $1, $2, m, 'RTX 4090', 1, s, 'change', 'dry_run', 0.5, 0.4, '', '{}', 'noted', rackrate_now()
         FROM generate_series($3::int, $4::int) AS m, generate_series(1, CASE WHEN m = $5 THEN 2 ELSE 1 END) AS s`,
        [site.world.host_id, id, first, last, site.world.machine_id],
      )
    await would(site.world.machine_id, site.world.machine_id + 102)
    const replay = async () => (await site.send('GET', `/rules/${id}/replay`)).body
    const first = await replay()
    // The other machines have no owner.
    expect(first).toMatchObject({
      replay: { left_out: 3, total: null, machines: [{ machine_id: site.world.machine_id, changes: 2 }] },
    })
    await would(site.world.machine_id + 103, site.world.machine_id + 110)
    expect(await replay()).toEqual(first)
  })

  it('live needs a day of dry run, and a floor', async () => {
    const { id } = await site.rule({ floor: null })
    const live = () => site.send('PUT', `/rules/${id}/stage`, { stage: 'live' })
    expect((await live()).body).toMatchObject({ error: 'not_ready', msg: expect.stringMatching(/24 h are/) })
    await site.send('PUT', `/rules/${id}/stage`, { stage: 'dry_run' })
    expect((await live()).body).toMatchObject({ msg: expect.stringMatching(/24 h are missing/) })
    await site.server.postgres.query(
      "UPDATE autopilot_rules SET dry_run_since = rackrate_now() - interval '24 hours'",
    )
    expect((await live()).body).toMatchObject({ msg: expect.stringMatching(/has no floor/) })
    expect((await live()).status).toBe(422)
  })
})

describe('a live rule', () => {
  it('changes the price of the listing and nothing else of it, once, and keeps a record', async () => {
    await site.server.postgres.query(
      'UPDATE gpu_listings SET min_bid = 0.2, credit_discount_max = 0.3, storage_cost = 0.1, inet_up_cost = 0.01',
    )
    const before = await terms()
    await site.rule({ machine_id: site.world.machine_id }, 'live')
    const counts = await Promise.all([site.run(), site.run(), runAutopilot(site.stores)])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await site.price()).toBe(0.405)
    expect(await terms()).toEqual(before)
    expect(await site.ledger()).toMatchObject([
      {
        kind: 'change',
        stage: 'live',
        state: 'read_back',
        old_price: 0.5,
        new_price: 0.405,
        adapter: 'marketplace',
        attempts: 1,
        read_price: 0.405,
        done_at: expect.any(Number),
        figures: { price: 0.5, floor: 0.1, others: { machines: 12, gpus: 12 } },
      },
    ])
  })

  it('reveals the number of hosts in no decision and no refusal', async () => {
    const { postgres } = site.server
    await site.rule({}, 'live')
    await site.run()
    const [change] = await site.ledger()
    await site.reset()
    // The machine is then alone in its class.
    const name = (gpu: string) => postgres.query('UPDATE machines SET gpu_name = $1', [gpu])
    await name('Titan V')
    await site.rule({}, 'live')
    await site.run()
    await name('RTX 4090')
    const [refusal] = await site.ledger()
    expect(refusal).toMatchObject({
      refusal: 'thin',
      reason:
        'Too few machines of other hosts of its class are available: less than 5 machines of 3 hosts say too little.',
    })
    for (const one of [refusal, change]) expect(JSON.stringify(one?.figures)).not.toContain('hosts')
    const audit = await site.server.get('/api/v0/metrics/autopilot/audit')
    expect(JSON.stringify(audit.body)).not.toContain('"hosts"')
  })

  it('never goes below the floor of the costs, and raises a price that is below', async () => {
    await enterCosts(540)
    await site.rule({ floor: null }, 'live')
    await site.run()
    const [{ new_price } = {}] = await site.ledger()
    expect([new_price, await site.price()]).toEqual([0.54, 0.54])
    await site.server.postgres.query('DELETE FROM machine_costs')
  })

  it('asks about a floor that a typo in the costs makes, and sets no price', async () => {
    const typo = { kwh_price: 3, watts_idle: 100, watts_load: 5000, fee_percent: 25 }
    const put = (more: object) =>
      site.server.send('PUT', '/api/v0/metrics/costs', site.world.keys.host, { ...typo, ...more })
    expect(await put({})).toMatchObject({
      status: 422,
      body: {
        error: 'unusual_costs',
        msg: expect.stringMatching(
          /the floor of machine \d+ would be \$19\.6, 39\.2 times its price of \$0\.5;/,
        ),
      },
    })
    expect((await put({ confirm_unusual: true })).status).toBe(200)
    await site.rule({ email: true }, 'live')
    await site.run()
    const refused = { kind: 'refusal', refusal: 'floor_beyond_step', new_price: null }
    expect(await site.ledger()).toMatchObject([
      {
        ...refused,
        reason: expect.stringMatching(/^The floor of \$19\.6 is 39\.2 times the price of \$0\.5/),
      },
    ])
    const changes = [{ machine_id: site.world.machine_id, from: 0.5, price: 0.55 }]
    expect((await site.send('POST', '/apply', { changes })).body).toMatchObject({ decisions: [refused] })
    expect(await site.price()).toBe(0.5)
    expect((await site.mails()).at(-1)).toContain('is not changed')
    await site.server.postgres.query('DELETE FROM machine_costs')
  })

  it('stops and reports it when the price was changed elsewhere', async () => {
    const { id } = await site.rule({ email: true }, 'live')
    await site.run()
    await site.list(0.7)
    await site.server.postgres.query(
      "UPDATE autopilot_decisions SET done_at = rackrate_now() - interval '1 hour', slot = 1",
    )
    await site.server.postgres.query("UPDATE alert_progress SET slot = 1 WHERE what = 'autopilot'")
    await site.run()
    expect(await site.price()).toBe(0.7)
    expect(await site.rules()).toMatchObject([{ id, stop_reason: expect.stringMatching(/somebody else/) }])
    expect((await site.ledger())[0]).toMatchObject({ kind: 'refusal', refusal: 'changed_elsewhere' })
    expect(await site.mails()).toEqual([
      expect.stringMatching(/sets \$0\.405 instead of \$0\.5/),
      expect.stringMatching(/somebody else has changed it/),
    ])
    // The holder of the rule resumes it.
    await site.send('PUT', `/rules/${id}/stage`, { stage: 'suggest' })
    expect(await site.rules()).toMatchObject([{ id, stop_reason: null }])
  })

  it('stops with its key, which is mailed, and with the switch of the account', async () => {
    const { server, world } = site
    const { key } = await createKey(server.postgres, { accountId: world.host_id })
    const made = await site.send('POST', '/rules', { ...median, email: true }, key)
    expect(made.status).toBe(200)
    await revokeKey(server.postgres, `${key.split('_')[1]}`)
    await site.run()
    expect(await site.rules()).toMatchObject([{ stop_reason: 'The API key that wrote it has ended' }])
    expect((await site.mails()).at(-1)).toMatch(/median has stopped\n {2}The API key that wrote it has ended/)
    await site.reset()
    await site.rule({}, 'live')
    expect((await site.send('PUT', '/stop', { stopped: true })).body).toEqual({
      success: true,
      stopped: true,
    })
    expect(await site.run()).toBe(0)
    expect([await site.price(), (await site.suggestions()).stopped]).toEqual([0.5, true])
    await site.send('PUT', '/stop', { stopped: false })
    await site.run()
    expect(await site.price()).toBe(0.405)
  })

  const hour = 3600
  it.each<[string, { late?: number; watts?: number; floor?: null; ceiling?: number }, string | RegExp]>([
    ['stale', { late: hour }, 'The newest snapshot is 61 min old, more than two slots.'],
    ['clock', { late: -hour }, 'The newest snapshot is of the future: a clock was changed. Nothing is done.'],
    [
      'floor_above_ceiling',
      { ceiling: 0.5, watts: 540 },
      'The floor of $0.54 is above the ceiling of $0.5. Raise the ceiling, or look at the costs.',
    ],
    ['no_floor', { floor: null, watts: 0 }, /^There is no floor\. Enter the costs/],
  ])(
    'changes nothing, and reports the reason to its holder once: %s',
    async (refusal, { late = 0, watts, ...rails }, reason) => {
      if (watts !== undefined) await enterCosts(540)
      await site.rule({ ...rails, email: true }, 'live')
      if (watts === 0) await site.server.postgres.query('DELETE FROM machine_costs')
      const clock = { now: () => site.server.clock.now() + late }
      for (let look = 0; look < 2; look += 1) {
        await runAutopilot({ ...site.stores, clock })
        await site.server.postgres.query("UPDATE alert_progress SET slot = 1 WHERE what = 'autopilot'")
      }
      const told = typeof reason === 'string' ? reason : expect.stringMatching(reason)
      expect(await site.ledger()).toMatchObject([{ kind: 'refusal', refusal, new_price: null, reason: told }])
      const { machine_id } = site.world
      expect(await site.mails()).toEqual([
        expect.stringContaining(`median: machine ${machine_id} (RTX 4090) is not changed\n`),
      ])
      if (typeof reason === 'string') expect((await site.mails())[0]).toContain(reason)
      expect(await site.price()).toBe(0.5)
      await site.server.postgres.query('DELETE FROM machine_costs')
    },
  )

  it('stops and reports it when its machine no longer belongs to the account', async () => {
    const { world, server } = site
    await site.rule({ machine_id: world.machine_id, email: true }, 'live')
    const {
      rows: [other],
    } = await server.postgres.query<{ id: number }>(
      `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, tflops, disk_space)
       VALUES ($1, 'RTX 4090', 1, 24, 80, 500) RETURNING id`,
      [world.host_id],
    )
    const give = (to: number) =>
      server.postgres.query('UPDATE machines SET account_id = $2 WHERE id = $1', [world.machine_id, to])
    await give(world.stranger_id)
    expect(await site.run()).toBe(0)
    await give(world.host_id)
    await server.postgres.query('DELETE FROM machines WHERE id = $1', [other?.id])
    const reason = `Machine ${world.machine_id} no longer belongs to the account`
    expect(await site.rules()).toMatchObject([{ stop_reason: reason }])
    expect(await site.mails()).toEqual([expect.stringContaining(`median has stopped\n  ${reason}`)])
    expect(await site.price()).toBe(0.5)
  })
})

describe('a manual change', () => {
  const apply = (from: number, price: number) =>
    site.send('POST', '/apply', { changes: [{ machine_id: site.world.machine_id, from, price }] })
  const decided = (answer: { body: object }) => (answer.body as { decisions: object[] }).decisions[0]

  it('sets a price once, inside the rails', async () => {
    expect(decided(await apply(0.5, 0.55))).toMatchObject({ refusal: 'no_floor' })
    await enterCosts(100)
    expect(decided(await apply(0.5, 0.55))).toMatchObject({
      kind: 'hand',
      state: 'read_back',
      new_price: 0.55,
    })
    expect(await site.price()).toBe(0.55)
    expect(decided(await apply(0.5, 0.6))).toMatchObject({ kind: 'refusal', refusal: 'changed_elsewhere' })
    // A step is limited to 20 %.
    expect(decided(await apply(0.55, 0.05))).toMatchObject({ new_price: 0.44 })
    const [last, first] = (await site.ledger()).filter(({ kind }) => kind === 'hand')
    expect((await site.send('POST', `/decisions/${first?.id}/undo`, {})).body).toMatchObject({
      msg: 'Only the last change of a machine can be undone',
    })
    expect((await site.send('POST', `/decisions/${last?.id}/undo`, {})).body).toMatchObject({
      decision: { kind: 'undo', state: 'read_back', undoes: last?.id, new_price: 0.55 },
    })
    expect(await site.price()).toBe(0.55)
    await site.server.postgres.query('DELETE FROM machine_costs')
  })

  it('keeps to the floors of the rule and of the costs: the higher one wins', async () => {
    await site.rule({ floor: 0.2 })
    await site.rule({ machine_id: site.world.machine_id, floor: 0.45 })
    expect(decided(await apply(0.5, 0.42))).toMatchObject({
      kind: 'hand',
      state: 'read_back',
      new_price: 0.45,
      figures: { floor: 0.45 },
      reason: expect.stringMatching(/the floor is \$0\.45/),
    })
    await enterCosts(480)
    expect(decided(await apply(0.45, 0.46))).toMatchObject({ new_price: 0.48, figures: { floor: 0.48 } })
    await site.server.postgres.query('DELETE FROM machine_costs')
  })

  it('undoes a change of a rule, and stops the rule', async () => {
    await enterCosts(100)
    await site.rule({}, 'live')
    await site.run()
    const [made] = await site.ledger()
    expect((await site.send('POST', `/decisions/${made?.id}/undo`, {})).body).toMatchObject({
      decision: { kind: 'undo', new_price: 0.5 },
    })
    expect([await site.price(), (await site.rules())[0]?.stop_reason]).toEqual([
      0.5,
      'A change of it was undone.',
    ])
    await site.server.postgres.query('DELETE FROM machine_costs')
  })
})
