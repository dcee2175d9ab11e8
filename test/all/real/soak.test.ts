import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { mean } from 'simple-statistics'
import { expect, it } from 'vitest'
import { startEngines } from '../../../embedded/engines.ts'
import { seedMarket } from '../../../simulate/create-market.ts'
import { schedules } from '../../../workers/schedule.ts'
import type { WorkContext } from '../../../workers/work-context.ts'
import { belowThirty } from '../../alerts.ts'
import { expectComplete } from '../../complete.ts'
import { freshDatabases } from '../../database.ts'
import { keyOfDemoHost } from '../../market.ts'
import { startServer, type TestServer } from '../../server.ts'

// Days of a site in fast time: the clock goes from slot to slot, and each job of the schedule takes its turn at each. SOAK_DAYS=14 takes a
// quarter of an hour on a quiet machine.

const days = Number(process.env.SOAK_DAYS ?? 2)
const interval = 900
const slotsADay = 86_400 / interval
/** Measurements are compared by thirds: the first third is for warming up. */
const samples = Math.max(12, days * 4)

it(`${days} days in fast time leave each slot once, and memory and descriptors where they were`, {
  timeout: days * 900_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-soak-'))
  const engines = await startEngines(dir, { postgres: true, clickhouse: true, database: 'test_*' })
  const databases = await freshDatabases(engines.databaseUrl, engines.clickhouse)
  const { clock, postgres } = databases
  // The start is in the past, so that no slot is in the future at the end.
  await clock.hold(Math.floor(Date.now() / 86_400_000) * 86_400 - (days + 1) * 86_400)
  await postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  await seedMarket(postgres, { seed: 7, size: 60, days: 0, interval })
  const server = await startServer({ databases, snapshotInterval: interval, seriesMaxAgeMs: 0 })
  try {
    const host = await keyOfDemoHost(server.postgres)
    await addRules(server, host)
    const site = openSite(server, join(dir, 'data'))
    const measured: Measured[] = []
    for (let slot = 1; slot <= days * slotsADay; slot += 1) {
      await clock.advance(interval)
      for (const { processor } of Object.values(schedules)) await processor(site.context, {})
      await askAll(server, host)
      if (slot % Math.floor((days * slotsADay) / samples) === 0) measured.push(await measure(dir, server))
    }
    console.table(measured)
    console.log(`${site.sent.mails} mails, ${site.sent.webhooks} webhooks`)
    await expectComplete(server)
    const { rows } = await postgres.query('SELECT count(*)::int AS slots FROM snapshots')
    expect(rows).toEqual([{ slots: days * slotsADay }])
    for (const what of Object.keys(allowed) as (keyof Measured)[]) {
      const third = Math.floor(measured.length / 3)
      const of = (from: number, to?: number) => mean(measured.slice(from, to).map((one) => one[what]))
      const [middle, last] = [of(third, 2 * third), of(2 * third)]
      expect(last, `${what}, on average of the last third`).toBeLessThanOrEqual(middle * 1.1 + allowed[what])
    }
  } finally {
    await server.close()
    await engines.stop()
    rmSync(dir, { recursive: true, force: true })
  }
})

/** Rules of every kind, some of which fire. */
async function addRules(server: TestServer, host: string): Promise<void> {
  const conditions = [
    belowThirty,
    { ...belowThirty, is: 'above' },
    { kind: 'machine_idle', machine_id: null, hours: 3 },
    { kind: 'machine_price', machine_id: null, slots: 1 },
    { kind: 'event', gpu_name: 'RTX 4090', verified: 'all', event: 'supply_drop' },
  ]
  for (const [index, condition] of conditions.entries())
    expect(
      await server.send('POST', '/api/v0/alerts', host, { name: `rule ${index}`, condition, email: true }),
    ).toMatchObject({ status: 200 })
  const rule = { name: 'all', target: { kind: 'median' }, floor: 0.05 }
  expect(await server.send('POST', '/api/v0/metrics/autopilot/rules', host, rule)).toMatchObject({
    status: 200,
  })
}

function openSite(server: TestServer, folder: string) {
  // Messages are only counted: stored ones would be measured as memory of the service.
  const sent = { mails: 0, webhooks: 0 }
  const carry = async () => {
    sent.mails += 1
  }
  const context: WorkContext = {
    ...server,
    carriers: { email: carry, sms: carry },
    sendHook: async () => {
      sent.webhooks += 1
      return { status: 200, reason: null }
    },
    callApi: async () => ({ status: 200, body: '' }),
    snapshotInterval: interval,
    spoolRetention: 1,
    openData: { folder, days: 30, licence: 'none' },
    log: { info() {}, error() {} },
    stopping: new AbortController().signal,
    wake: async () => {},
    queueRun: async () => {},
  }
  return { context, sent }
}

/** The requests of a host and an admin who look at the page. */
async function askAll({ get, send, adminKey }: TestServer, host: string): Promise<void> {
  const paths = ['gpu/history?gpu_name=RTX_4090', 'gpu/current', 'gpu/forecast?gpu_name=RTX_4090', 'machines']
  for (const path of paths)
    expect(await get(`/api/v0/metrics/${path}`, host), path).toMatchObject({ status: 200 })
  const query = 'SELECT count() AS n FROM observations'
  expect(await send('POST', '/api/v0/metrics/sql', adminKey, { query })).toMatchObject({ status: 200 })
}

/** The allowed growth from the average of the middle third, in addition to a tenth of it. */
const allowed = { heap_mb: 5, clickhouse_mb: 60, descriptors: 10, sessions: 5, spool_mb: 1 }
type Measured = Record<keyof typeof allowed, number>

async function measure(dir: string, { postgres }: TestServer): Promise<Measured> {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2)
  const pid = readFileSync(join(dir, 'clickhouse/pid'), 'utf8').trim()
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  const { rows } = await postgres.query<{ spool: number; sessions: number }>(
    `SELECT pg_total_relation_size('spool')::float8 AS spool, (SELECT count(*)::int FROM pg_stat_activity) AS sessions`,
  )
  return {
    heap_mb: megabytes(process.memoryUsage().heapUsed),
    clickhouse_mb: megabytes(resident),
    descriptors: ['self', pid].reduce((sum, of) => sum + readdirSync(`/proc/${of}/fd`).length, 0),
    sessions: rows[0]?.sessions ?? 0,
    spool_mb: megabytes(rows[0]?.spool ?? 0),
  }
}
