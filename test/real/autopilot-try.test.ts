import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AutopilotTried } from '../../contract/autopilot-try.ts'
import { type AutopilotWorld, median, openAutopilotWorld } from '../autopilot.ts'

const hour = 3600
/** The price of others in each hour. */
const prices = [0.4, 0.4, 0.3, 0.3, 0.3]

let site: AutopilotWorld
let newest: number
beforeAll(async () => {
  site = await openAutopilotWorld()
  const { clock } = site.server
  newest = Math.floor(clock.now() / hour) * hour
  await clock.hold(newest + 60)
  for (const [index, price] of prices.entries())
    await site.land(price, { at: newest - (prices.length - 1 - index) * hour })
})
afterAll(() => site?.server.close())

const tried = async (rule: object, by?: string) => {
  const { status, body } = await site.send('POST', '/try', { rule: { ...median, ...rule }, days: 7 }, by)
  return { status, body: body as AutopilotTried }
}

it('a trial decides each hour with the market of the hour before, and stores nothing', async () => {
  const { status, body } = await tried({})
  expect(status).toBe(200)
  expect(body).toMatchObject({ of: 1, changed: 1, changes: 2, raised: 0, no_floor: 0, hindsight: false })
  expect([body.from, body.to]).toEqual([newest - 4 * hour, newest])
  // Four hours are too few for an income.
  expect(body).toMatchObject({ total: null, machines: [{ changes: 2, earned: null, missing: 'too_new' }] })
  expect(await site.ledger()).toEqual([])
  expect(await site.rules()).toEqual([])
  expect(await site.price()).toBe(0.5)
})

it('a trial keeps to the rails: a pause between changes, and no change without a floor', async () => {
  expect((await tried({ hours_between: 12 })).body).toMatchObject({ changes: 1 })
  expect((await tried({ floor: null })).body).toMatchObject({ of: 1, changes: 0, no_floor: 1 })
})

it('a trial of a rule on recommended prices is marked as hindsight', async () => {
  expect((await tried({ target: { kind: 'recommended' } })).body).toMatchObject({ hindsight: true })
})

it('a trial is refused for a machine of others and for more than 14 days', async () => {
  expect((await tried({ machine_id: 999_999 })).status).toBe(404)
  expect((await site.send('POST', '/try', { rule: median, days: 15 })).status).toBe(400)
})
