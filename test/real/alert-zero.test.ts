import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AlertMessage, AlertRule, AlertTried } from '../../contract/alerts.ts'
import { execute } from '../../platform/stores/clickhouse.ts'
import { marketAt, openAlertsWorld } from '../alerts.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { spool } from '../random-market.ts'

const interval = 900
let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
beforeAll(async () => {
  alerts = await openAlertsWorld({ snapshotInterval: interval })
})
afterAll(() => alerts?.server.close())

const host = () => alerts.world.keys.host
const post = (where: string, body: object) =>
  alerts.server.send('POST', `/api/v0/alerts${where}`, host(), body)
const rule = (changes: object) => ({
  kind: 'statistic',
  gpu_name: 'B200',
  verified: 'all',
  statistic: 'available_gpus',
  is: 'below',
  limit: 5,
  slots: 1,
  ...changes,
})

/** Lands a slot with two B200 of this many GPUs, of which one is verified. */
async function landB200(gpus: number): Promise<number> {
  const { state, server, run, load } = alerts
  state.slot += interval
  const others = marketAt(state.slot, { price: 0.4 })
  const b200 = (machine: number, changes: Partial<MachineAtSlot>) => ({
    ...others[0],
    machine,
    gpu: 'B200',
    rig: gpus,
    free: gpus,
    ram: 196_608,
    ...changes,
  })
  const two = [b200(1, { verified: true }), b200(2, { verified: false })] as MachineAtSlot[]
  await spool(server.postgres, state.slot, [...others, ...(gpus > 0 ? two : [])])
  await load()
  await run()
  return state.slot
}

it('rules on counts fire when the last GPU of a name is gone, also in a trial', async () => {
  const conditions = {
    available: rule({}),
    gone: rule({ statistic: 'total_gpus', limit: 1 }),
    verified: rule({ verified: 'yes', limit: 1 }),
    memory: rule({ gpu_memory: 192, limit: 1 }),
    falls: rule({ statistic: 'total_gpus', is: 'falls', by: 90, within_hours: 1, limit: undefined }),
    price: rule({ statistic: 'avail_median', limit: 0.1 }),
    typo: rule({ gpu_name: 'B2000' }),
  }
  for (const [name, condition] of Object.entries(conditions))
    expect((await post('', { name, condition })).status, name).toBe(200)
  for (let slots = 0; slots < 5; slots += 1) await landB200(4)
  const gone = await landB200(0)
  const back = await landB200(4)

  const { messages } = (await alerts.server.get('/api/v0/alerts/messages', host())).body as {
    messages: AlertMessage[]
  }
  const said = messages.flatMap(({ name, slot, entries }) =>
    entries.map(({ what }) => `${name} ${what} ${slot}`),
  )
  const expected = ['available', 'falls', 'gone', 'memory', 'verified'].flatMap((name) => [
    `${name} fired ${gone}`,
    `${name} resolved ${back}`,
  ])
  expect(said.sort()).toEqual(expected)
  for (const [name, condition] of Object.entries(conditions)) {
    const tried = (await post('/try', { condition })).body as AlertTried
    const entries = tried.entries.map(({ what, slot }) => `${name} ${what} ${slot}`)
    expect(entries, name).toEqual(expected.filter((line) => line.startsWith(`${name} `)))
  }
})

it('a trial takes no count of an imported slot for 0, because a file may lack GPU names', async () => {
  const { clickhouse } = alerts.server
  const condition = rule({})
  const before = (await post('/try', { condition })).body as AlertTried
  await execute(
    clickhouse,
    `INSERT INTO slots (slot, source, observations, ready, revision) SELECT slot, 'custom', observations, ready, revision FROM slots`,
  )
  await execute(clickhouse, `ALTER TABLE slots DELETE WHERE source = 'market' SETTINGS mutations_sync = 2`)
  const after = (await post('/try', { condition })).body as AlertTried
  expect([before.fired, after.fired]).toEqual([1, 0])
})

it('a rule that could never fire is refused with the reason when created, changed and tried', async () => {
  const { rule: kept } = (await post('', { name: 'kept', condition: rule({}) })).body as { rule: AlertRule }
  const never = { name: 'never', condition: rule({ statistic: 'occupancy', is: 'above', limit: 80 }) }
  const answers = [
    await post('', never),
    await alerts.server.send('PUT', `/api/v0/alerts/${kept.id}`, host(), never),
    await post('/try', { condition: never.condition }),
  ]
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        error: 'invalid_args',
        msg: expect.stringContaining(
          'condition.limit is never reached, so the rule would never fire: a share is between 0 and 1',
        ),
      },
    ])
})
