import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RecordingAnswer } from '../../contract/recording.ts'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, openClickHouse } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { readQueueStates } from '../../workers/queue-states.ts'
import { migrateQueues, openQueues } from '../../workers/queues.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

const interval = 300
const first = 1_795_000_200
const slotAt = (index: number) => first + index * interval
let server: TestServer

beforeAll(async () => {
  server = await startServer({ snapshotInterval: interval })
  await server.clock.hold(slotAt(0))
  await smallMarket(server.postgres, 6)
})
afterAll(() => server?.close())

async function recording(of = server): Promise<RecordingAnswer> {
  const { status, body } = await of.get('/api/v0/metrics/recording')
  expect(status).toBe(200)
  return body
}

async function take(...slots: number[]): Promise<void> {
  for (const index of slots) await capture(server.postgres, slotAt(index))
  await loadAll(server)
}

it('a site without a snapshot has none recorded, and nothing missing', async () => {
  const { markets, queues, queue_store } = await recording()
  expect(markets).toMatchObject([
    {
      name: null,
      away: [],
      series: { newest_slot: null, is_simulated: false, is_empty: true, filling: null },
      recorded: null,
      pipeline: { waiting_snapshots: 0, damages: [], source: null },
      checked: { days: 0, with_problems: 0 },
      backup: { newest: null },
    },
  ])
  expect([queues, queue_store]).toEqual([null, null])
})

it('gaps are named with their length, their cause and the command that closes them', async () => {
  await take(0, 1, 2, 6, 7, 8, 12, 13)
  // Marked as loaded: the first is still in the spool, the second is in neither store.
  const forgotten = [slotAt(7), slotAt(8)]
  await execute(
    server.clickhouse,
    'DELETE FROM slots/*!_local ON CLUSTER $cluster*/ WHERE toUnixTimestamp(slot) IN {slots:Array(UInt32)}',
    {
      slots: forgotten,
    },
  )
  await server.postgres.query('DELETE FROM spool WHERE slot = $1', [slotAt(8)])
  await capture(server.postgres, slotAt(14))
  await server.clock.hold(slotAt(15) + 200)
  const [market] = (await recording()).markets
  expect(market?.recorded).toMatchObject({
    from: slotAt(0),
    to: slotAt(15),
    interval,
    expected: 15,
    recorded: 6,
    further_gaps: 0,
    gaps: [
      { from: slotAt(14), to: slotAt(15), slots: 1, cause: 'waiting', fix: null },
      { from: slotAt(9), to: slotAt(12), slots: 3, cause: 'not_taken', fix: null },
      { from: slotAt(8), to: slotAt(9), slots: 1, cause: 'lost', fix: 'rackrate reconcile --accept-loss' },
      { from: slotAt(7), to: slotAt(8), slots: 1, cause: 'not_loaded', fix: 'rackrate reconcile' },
      { from: slotAt(3), to: slotAt(6), slots: 3, cause: 'not_taken', fix: null },
    ],
  })
  const hours = market?.recorded?.hours ?? []
  expect(hours.reduce((sum, { expected, recorded }) => sum + expected - recorded, 0)).toBe(9)
  expect(market?.series?.newest_slot).toBe(slotAt(13))
  expect(market?.pipeline?.waiting_snapshots).toBe(1)
})

it('a snapshot is due three minutes after its end, and only the newest seven days count', async () => {
  await server.clock.hold(slotAt(16) + 179)
  expect((await recording()).markets[0]?.recorded?.to).toBe(slotAt(15))
  await server.clock.hold(slotAt(16) + 180)
  expect((await recording()).markets[0]?.recorded?.to).toBe(slotAt(16))
  await server.clock.hold(slotAt(0) + 8 * 86_400)
  const [market] = (await recording()).markets
  expect(market?.recorded).toMatchObject({ recorded: 0, expected: 2016 - 1, gaps: [{ cause: 'not_taken' }] })
  await server.clock.hold(slotAt(15) + 200)
})

it('a damage, a late roll-up and the newest backup are named', async () => {
  await server.postgres.query(
    `INSERT INTO damages (place, kind, from_slot, to_slot, problem) VALUES ('here', 'lost', 1, 2, 'Rows are lost.')`,
  )
  await server.postgres.query('INSERT INTO backups (name, bytes) VALUES ($1, 7)', ['evening'])
  const [market] = (await recording()).markets
  expect(market?.pipeline?.damages).toEqual([{ problem: 'Rows are lost.', mended: false }])
  expect(market?.backup?.newest).toEqual({ name: 'evening', at: slotAt(15) + 200, bytes: 7 })
  await server.postgres.query('DELETE FROM damages')
})

it('while ClickHouse and the queues are away, PostgreSQL answers for its parts', async () => {
  const { url: _, ...address } = server.clickhouseAddress
  const clickhouse = openClickHouse({ ...address, url: 'http://127.0.0.1:9' })
  const away = await startServer({
    snapshotInterval: interval,
    databases: { ...server, clickhouse },
    queues: { store: 'Redis', read: () => new Promise(() => {}) },
  })
  try {
    const { markets, queues, queue_store } = await recording(away)
    expect(markets).toMatchObject([
      {
        away: ['clickhouse'],
        series: null,
        recorded: null,
        checked: null,
        disk: null,
        pipeline: { waiting_snapshots: 1 },
        backup: { newest: { name: 'evening' } },
      },
    ])
    expect([queues, queue_store]).toEqual([null, 'Redis'])
  } finally {
    await away.app.close()
    await clickhouse.close()
  }
})

it('a host and a renter get the usual refusal of what is for admins', async () => {
  for (const role of ['host', 'user'] as const) {
    const { key } = await createKeyFor(server.postgres, { role })
    const refused = await server.get('/api/v0/metrics/recording', key)
    expect([refused.status, refused.body]).toEqual([
      403,
      { success: false, error: 'forbidden', msg: 'Admin access required' },
    ])
  }
})

it('queues report running, waiting and failed jobs with the newest error', async () => {
  await migrateQueues(server.postgres, server.queues)
  const opened = openQueues(server.queues)
  const queue = opened.queue('load')
  const worker = opened.worker(
    'load',
    async ({ data }) => {
      if ((data as { fails: boolean }).fails) throw new Error('the disk is full')
    },
    {},
  )
  queue.on('error', () => {}) // its connection is cut at the end
  worker.on('error', () => {})
  const now = Date.now() / 1000
  try {
    await queue.add('load', { fails: false })
    await queue.add('load', { fails: true }, { attempts: 1 })
    const state = async () => (await readQueueStates([{ queue, market: null }], now))[0]
    await vi.waitFor(
      async () =>
        expect(await state()).toMatchObject({
          name: 'load',
          active: 0,
          waiting: 0,
          failed: 1,
          reason: 'the disk is full',
          done_at: expect.any(Number),
          failed_at: expect.any(Number),
        }),
      { timeout: 60_000 },
    )
    await worker.pause()
    await queue.add('load', { fails: false })
    expect(await state()).toMatchObject({ waiting: 1 })
    // A failure of days ago is over.
    const later = await readQueueStates([{ queue, market: null }], now + 3 * 86_400)
    expect(later[0]).toMatchObject({ failed: 0, reason: null })
  } finally {
    await worker.close()
    await opened.close()
  }
})
