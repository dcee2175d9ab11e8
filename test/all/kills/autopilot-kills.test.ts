import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { seeded } from '../../../simulate/random.ts'
import { median, openAutopilotWorld } from '../../autopilot.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { startReceiver } from '../../receiver.ts'

// Processes that execute decisions are killed at random, between and within the steps of a decision. AUTOPILOT_KILLS=200 takes half an hour.

const kills = Number(process.env.AUTOPILOT_KILLS ?? 8)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seeded(seed)
const perKill = 8

let site: Awaited<ReturnType<typeof openAutopilotWorld>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  site = await openAutopilotWorld({ privateHosts: ['127.0.0.1'] })
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver?.close()
  await site?.server.close()
})

it(
  `no price is set twice, and no decision is lost, after ${kills} kills (seed ${seed})`,
  async () => {
    const { server, world } = site
    const { postgres } = server
    const made = await site.send('POST', '/rules', { ...median, webhook_url: receiver.url })
    const { rule } = made.body as { rule: { id: number } }
    // Every change of a price is counted.
    await postgres.query(`CREATE TABLE price_changes (machine_id integer, price numeric)`)
    await postgres.query(`CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO price_changes VALUES (NEW.machine_id, NEW.price);
        RETURN NEW;
      END $$`)
    await postgres.query(`CREATE TRIGGER counted AFTER UPDATE OF price ON gpu_listings
      FOR EACH ROW EXECUTE FUNCTION count_change()`)
    const { rows: keys } = await postgres.query<{ id: number }>(
      'SELECT id FROM api_keys WHERE account_id = $1',
      [world.host_id],
    )
    // Half of the machines are priced at the own marketplace, half by a webhook.
    await postgres.query(
      `WITH made AS (
         INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, disk_space)
         SELECT $1, 'RTX 4090', 1, 24576, 100 FROM generate_series(1, $2::int) RETURNING id
       ), listed AS (
         INSERT INTO gpu_listings (machine_id, price) SELECT id, 0.5 FROM made
       )
       INSERT INTO autopilot_decisions (
         account_id, key_id, rule_id, machine_id, gpu_name, num_gpus, slot, kind, stage, old_price, new_price, reason, figures, adapter, state, expires_at
       )
       SELECT $1, $3, CASE WHEN id % 2 = 0 THEN $4::int END, id, 'RTX 4090', 1, 0, 'hand', 'live', 0.5, 0.6, 'test', '{}',
         CASE WHEN id % 2 = 0 THEN 'webhook' ELSE 'marketplace' END, 'decided', rackrate_now() + interval '1 day'
       FROM made`,
      [world.host_id, kills * perKill, keys[0]?.id, rule.id],
    )
    const env = {
      ...environmentOf(server.queues, server.clickhouseAddress),
      WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    }
    const steps = async () =>
      (
        await postgres.query<{ steps: number }>(
          `SELECT sum(attempts + (called_at IS NOT NULL)::int + (done_at IS NOT NULL)::int)::int AS steps FROM autopilot_decisions`,
        )
      ).rows[0]?.steps ?? 0
    const left = { called: 0, decided: 0, answered: 0 }
    for (let n = 0; n < kills; n += 1) {
      const before = await steps()
      const child = spawnRackrate(['autopilot'], env)
      await vi.waitFor(
        async () => expect((await steps()) > before || child.exitCode !== null, child.output()).toBe(true),
        { timeout: 120_000, interval: 5 },
      )
      await pause(random() * 60)
      child.kill('SIGKILL')
      await exited(child)
      const { rows } = await postgres.query<{ state: keyof typeof left }>(
        `SELECT state FROM autopilot_decisions WHERE attempts > 0 AND state IN ('decided', 'called', 'answered')`,
      )
      for (const { state } of rows) left[state] += 1
      // Ends the lease of the killed process on decisions.
      await postgres.query(
        'UPDATE autopilot_decisions SET next_try_at = rackrate_now() WHERE done_at IS NULL',
      )
    }
    console.log(`left behind by kills: ${JSON.stringify(left)}`)
    await vi.waitFor(
      async () => {
        await postgres.query(
          'UPDATE autopilot_decisions SET next_try_at = rackrate_now() WHERE done_at IS NULL',
        )
        await site.run()
        const open = await postgres.query('SELECT FROM autopilot_decisions WHERE done_at IS NULL')
        expect(open.rowCount).toBe(0)
      },
      { timeout: 120_000, interval: 100 },
    )
    const states = await postgres.query('SELECT DISTINCT state FROM autopilot_decisions')
    expect(states.rows).toEqual([{ state: 'read_back' }])
    // Each change reaches the own marketplace exactly once, and the receiver at least once, with the same id.
    const twice = 'SELECT FROM price_changes GROUP BY machine_id HAVING count(*) > 1'
    expect((await postgres.query(twice)).rowCount).toBe(0)
    expect((await postgres.query('SELECT FROM price_changes')).rowCount).toBe((kills * perKill) / 2)
    const ids = new Map(receiver.received.map(({ id, body }) => [id, JSON.parse(body).data.machine_id]))
    expect(ids.size).toBe((kills * perKill) / 2)
    expect(new Set(ids.values()).size).toBe(ids.size)
    expect(receiver.received.length - ids.size).toBeLessThanOrEqual(kills)
  },
  600_000 + kills * 30_000,
)
