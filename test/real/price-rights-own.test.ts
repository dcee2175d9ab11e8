import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type AutopilotWorld, openAutopilotWorld } from '../autopilot.ts'
import { startReceiver } from '../receiver.ts'

// The right to set a price in the site's own market: the machine must be one of the account when its price is set.

let site: AutopilotWorld
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  site = await openAutopilotWorld({ privateHosts: ['127.0.0.1'] })
  const { clock } = site.server
  const slot = Math.floor(clock.now() / 300) * 300
  await clock.hold(slot + 60)
  for (const at of [slot - 300, slot]) await site.land(0.4, { at })
  // A second machine keeps the account active.
  await site.server.postgres.query(
    `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, tflops, disk_space)
     VALUES ($1, 'RTX 4090', 1, 24, 80, 500)`,
    [site.world.host_id],
  )
})
afterAll(async () => {
  receiver?.close()
  await site?.server.close()
})
beforeEach(async () => {
  await hold(false)
  await site.reset()
  receiver.received.length = 0
})

/** Holds decisions before they are called, or releases them. */
const hold = (isHeld: boolean) =>
  site.server.postgres.query(
    `ALTER TABLE autopilot_decisions ALTER COLUMN next_try_at SET DEFAULT rackrate_now()${isHeld ? " + interval '1 minute'" : ''}`,
  )
const give = (to: number) =>
  site.server.postgres.query('UPDATE machines SET account_id = $2 WHERE id = $1', [site.world.machine_id, to])
const remove = (isRemoved: boolean) =>
  site.server.postgres.query(
    'UPDATE machines SET removed_at = CASE WHEN $2 THEN rackrate_now() END WHERE id = $1',
    [site.world.machine_id, isRemoved],
  )

it.each([
  ['marketplace', 'sold', () => give(site.world.stranger_id)],
  ['webhook', 'sold', () => give(site.world.stranger_id)],
  ['marketplace', 'removed', () => remove(true)],
  ['webhook', 'removed', () => remove(true)],
] as const)(
  'nothing is called by %s where the machine is %s between decision and call',
  async (way, _, happens) => {
    const webhook_url = way === 'webhook' ? receiver.url : null
    await site.rule({ machine_id: site.world.machine_id, webhook_url }, 'live')
    await hold(true)
    await site.run()
    expect(await site.ledger()).toMatchObject([{ state: 'decided', adapter: way }])
    await happens()
    await site.server.postgres.query('UPDATE autopilot_decisions SET next_try_at = rackrate_now()')
    await site.run()
    await give(site.world.host_id)
    await remove(false)
    const { machine_id } = site.world
    expect(await site.ledger()).toMatchObject([
      { state: 'failed', answer: `Machine ${machine_id} is not one of the account's machines` },
    ])
    expect([receiver.received, await site.price()]).toEqual([[], 0.5])
  },
)
