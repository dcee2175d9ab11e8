import type { AutopilotRule } from '../contract/autopilot.ts'
import type { AutopilotDecision, AutopilotSuggestion } from '../contract/autopilot-decisions.ts'
import { loadAll } from '../ingest/load.ts'
import { type AutopilotStores, runAutopilot } from '../src/autopilot/run.ts'
import { openSender } from '../src/rules/webhook/send.ts'
import { marketAt } from './alerts.ts'
import type { MachineAtSlot } from './oracle/history.ts'
import { spool } from './random-market.ts'
import { startServer, type TestServerOptions } from './server.ts'
import { openWorld } from './world.ts'

export const autopilotPath = '/api/v0/metrics/autopilot'

/** A rule that follows the median, in large steps and without pauses. */
export const median = {
  name: 'median',
  target: { kind: 'median' },
  floor: 0.1,
  largest_step: 0.5,
  hours_between: 0,
  changes_a_day: 24,
}

/** The service, the demo accounts, and a market whose newest slot is the current one. The demo host asks $0.50 in it. */
export async function openAutopilotWorld({
  stores: more,
  ...options
}: TestServerOptions & { stores?: Partial<AutopilotStores> } = {}) {
  const { snapshotInterval: interval = 300, privateHosts = [] } = options
  const server = await startServer({ seriesMaxAgeMs: 0, ...options })
  await server.postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  const world = await openWorld(server)
  const { postgres, clock } = server
  await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, 0.5)', [world.machine_id])
  const sendHook = openSender({ privateHosts })
  const stores: AutopilotStores = { ...server, sendHook, snapshotInterval: interval, ...more }
  const state = { slot: 0 }
  const key = world.keys.host

  /** Loads the current slot, or the slot `at`: other hosts ask the given prices, the demo host asks its listed price. */
  async function land(
    price = 0.4,
    { at, own }: { at?: number; own?: Partial<MachineAtSlot> } = {},
  ): Promise<number> {
    state.slot = at ?? Math.floor(clock.now() / interval) * interval
    const listed = await listedPrice()
    const seen = { price: listed, free: 1, rig: 1, gpu: 'RTX 4090', host: world.host_id, ...own }
    await spool(postgres, state.slot, marketAt(state.slot, { price, own: seen, machine: world.machine_id }))
    await loadAll(server)
    return state.slot
  }
  const listedPrice = async () => {
    const query = 'SELECT price::float8 FROM gpu_listings WHERE machine_id = $1 AND ended_at IS NULL'
    return (await postgres.query<{ price: number }>(query, [world.machine_id])).rows[0]?.price ?? 0
  }
  const list = (price: number) =>
    postgres.query('UPDATE gpu_listings SET price = $2 WHERE machine_id = $1 AND ended_at IS NULL', [
      world.machine_id,
      price,
    ])
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', where: string, body?: object, by = key) =>
    server.send(method, `${autopilotPath}${where}`, by, body)
  const ledger = async (by = key) =>
    ((await send('GET', '/decisions', undefined, by)).body as { decisions: AutopilotDecision[] }).decisions
  return {
    server,
    world,
    stores,
    state,
    land,
    list,
    send,
    ledger,
    price: listedPrice,
    run: () => runAutopilot(stores),
    suggestions: async () =>
      (await send('GET', '/suggestions')).body as { stopped: boolean; suggestions: AutopilotSuggestion[] },
    /** The text of each mail, the oldest first. */
    mails: async () => {
      const { rows } = await postgres.query<{ sealed: Buffer }>('SELECT sealed FROM outbox ORDER BY id')
      return rows.map(({ sealed }) => JSON.parse(server.vault.open(sealed, 'outbox')).text as string)
    },
    rules: async () => ((await send('GET', '/rules')).body as { rules: AutopilotRule[] }).rules,
    /** Makes a rule, and takes it to a stage; to `live` as if its dry run were long enough. */
    async rule(body: object = {}, stage: 'suggest' | 'dry_run' | 'live' = 'suggest'): Promise<AutopilotRule> {
      const made = await send('POST', '/rules', { ...median, ...body })
      if (made.status !== 200) throw new Error(JSON.stringify(made.body))
      const { rule } = made.body as { rule: AutopilotRule }
      if (stage === 'suggest') return rule
      await postgres.query(
        "UPDATE autopilot_rules SET stage = 'dry_run', dry_run_since = rackrate_now() - interval '25 hours' WHERE id = $1",
        [rule.id],
      )
      const answer = await send('PUT', `/rules/${rule.id}/stage`, { stage })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return (answer.body as { rule: AutopilotRule }).rule
    },
    /** Resets the state: no decisions, and a listed price of $0.50. */
    async reset() {
      for (const table of ['autopilot_decisions', 'autopilot_rules', 'autopilot_accounts', 'outbox'])
        await postgres.query(`DELETE FROM ${table}`)
      await postgres.query("UPDATE alert_progress SET slot = 0 WHERE what LIKE 'autopilot%'")
      await list(0.5)
    },
  }
}

export type AutopilotWorld = Awaited<ReturnType<typeof openAutopilotWorld>>
