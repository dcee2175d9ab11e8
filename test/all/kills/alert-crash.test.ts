import { afterAll, beforeAll, expect, it } from 'vitest'
import { runRules } from '../../../src/alerts/run.ts'
import { belowThirty, openAlertsWorld } from '../../alerts.ts'

let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
beforeAll(async () => {
  alerts = await openAlertsWorld({ snapshotInterval: 900 })
})
afterAll(() => alerts?.server.close())

it('each message is stored once with any number of workers, and after a crash of any statement', async () => {
  const { server, world, stores, spoolNext, load, run } = alerts
  for (let n = 0; n < 20; n += 1)
    expect(
      await server.send('POST', '/api/v0/alerts', world.keys.host, {
        name: `rule ${n}`,
        condition: { ...belowThirty, limit: 0.25 + n / 100 },
        email: n % 2 === 0,
      }),
    ).toMatchObject({ status: 200 })
  const { postgres } = stores
  const next = async (n: number) => {
    await spoolNext(n % 2 === 0 ? 0.5 : 0.1)
    await load()
  }
  await next(0)
  await run() // the first time only the newest slot is evaluated
  // The n-th statement of a transaction is never answered: its connection is gone, before or after it was done.
  for (let n = 1; n <= 12; n += 1) {
    await next(n)
    await Promise.allSettled([breakAt(postgres, n)()])
  }
  await next(13)
  await Promise.all([run(), run(), run()])
  const { rows: found } = await postgres.query('SELECT DISTINCT rule_id, slot FROM alert_messages')
  expect(found).toHaveLength(20 * 13)
  const { rowCount } = await postgres.query('SELECT FROM alert_messages')
  expect(rowCount).toBe(20 * 13)
  const { rows } = await postgres.query(`SELECT FROM outbox WHERE kind = 'alert'`)
  expect(rows).toHaveLength(13)
})

const breakAt = (postgres: (typeof alerts)['server']['postgres'], n: number) => async () => {
  let count = 0
  const connect = async () => {
    const client = await postgres.connect()
    const send = client.query.bind(client)
    const query = async (...given: Parameters<typeof send>) => {
      count += 1
      if (count !== n) return send(...given)
      if (n % 2 === 0) await send(...given)
      client.release(new Error('gone'))
      throw new Error('gone')
    }
    let isReleased = false
    const release = (error?: Error) => {
      if (!isReleased && count < n) client.release(error)
      isReleased = true
    }
    return Object.assign(Object.create(client), { query, release })
  }
  const pool = Object.assign(Object.create(postgres), { connect })
  await runRules({ ...alerts.stores, postgres: pool })
}
