import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type AutopilotWorld, openAutopilotWorld } from '../autopilot.ts'
import { isSigned, startReceiver } from '../receiver.ts'

let site: AutopilotWorld
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  site = await openAutopilotWorld({ privateHosts: ['127.0.0.1'] })
  const { clock } = site.server
  const slot = Math.floor(clock.now() / 300) * 300
  await clock.hold(slot + 60)
  for (const at of [slot - 300, slot]) await site.land(0.4, { at })
})
afterAll(async () => {
  receiver?.close()
  await site?.server.close()
})
beforeEach(async () => {
  await site.reset()
  receiver.received.length = 0
  receiver.handlers.answer = (response) => response.end()
})
const live = () => site.rule({ webhook_url: receiver.url }, 'live')
const later = () => site.server.postgres.query('UPDATE autopilot_decisions SET next_try_at = rackrate_now()')

it('a change is posted, signed, and again with the same id when the answer is lost', async () => {
  const made = await site.send('POST', '/rules', {
    name: 'x',
    target: { kind: 'median' },
    webhook_url: receiver.url,
  })
  const { webhook_secret } = made.body as { webhook_secret: string }
  await site.reset()
  expect(webhook_secret).toMatch(/^whsec_/)
  await live()
  receiver.handlers.answer = (response) => response.destroy()
  await site.run()
  expect(await site.ledger()).toMatchObject([{ state: 'called', adapter: 'webhook', attempts: 1 }])
  receiver.handlers.answer = (response) => response.end()
  await later()
  await site.run()
  const [decision] = await site.ledger()
  expect(decision).toMatchObject({ state: 'read_back', attempts: 2, read_price: null })
  expect(receiver.received.map(({ id }) => id)).toEqual([decision?.id, decision?.id])
  expect(receiver.received[0] && isSigned(receiver.received[0], webhook_secret)).toBe(false)
  expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({
    type: 'price.change',
    data: { id: decision?.id, machine_id: site.world.machine_id, old_price: 0.5, new_price: 0.405 },
  })
  // The service does not change the listing: the receiver does.
  expect(await site.price()).toBe(0.5)
})

it('a receiver that refuses stops the rule, and what is too old is not posted', async () => {
  await live()
  receiver.handlers.answer = (response) => response.writeHead(400).end()
  await site.run()
  expect(await site.ledger()).toMatchObject([{ state: 'failed', answer: 'The receiver answered 400' }])
  expect(await site.rules()).toMatchObject([{ stop_reason: 'The receiver answered 400.' }])

  await site.reset()
  await live()
  receiver.handlers.answer = (response) => response.writeHead(503).end()
  await site.run()
  await site.server.postgres.query(
    "UPDATE autopilot_decisions SET expires_at = rackrate_now() - interval '1 second'",
  )
  await later()
  await site.run()
  expect(await site.ledger()).toMatchObject([
    { state: 'failed', answer: expect.stringMatching(/older than two slots/) },
  ])
  expect(receiver.received).toHaveLength(2)
})
