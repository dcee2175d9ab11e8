import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { capture } from '../../../ingest/capture.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import { openWakeUp, type QueueAddress } from '../../../workers/queues.ts'
import { expectComplete } from '../../complete.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { freePort, hasPostgres, hasRedis, type OwnServer, startPostgres, startRedis } from '../../debian.ts'
import { smallMarket } from '../../market.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'

// The services as separate processes on a PostgreSQL and a Redis as they are installed, and a ClickHouse that is spoken to by URL.

type Role = 'metrics' | 'companion' | 'worker'
interface Member {
  role: Role
  process: ReturnType<typeof spawnRackrate>
  /** The port of the process; undefined for a worker. */
  url: string | undefined
  /** Unix milliseconds; undefined while it lives. */
  killed?: number
}
interface Sent {
  member: Member
  began: number
  ended: number
  failure?: string
}

let postgres: OwnServer | undefined
let redis: OwnServer | undefined
let databases: TestDatabases
let environment: Record<string, string>
let queues: QueueAddress
const members: Member[] = []

beforeAll(async () => {
  postgres = hasPostgres ? await startPostgres() : undefined
  databases = await freshDatabases(postgres?.url)
  redis = hasRedis ? await startRedis(await freePort()) : undefined
  queues = { ...databases.queues, ...(redis && { redisUrl: redis.url }) }
  environment = { ...environmentOf(queues, databases.clickhouseAddress), PORT: '0', RATE_LIMIT: '1000000' }
  await smallMarket(databases.postgres, 60)
})
afterAll(async () => {
  for (const { process } of members) process.kill('SIGKILL')
  await databases?.close()
  await redis?.stop()
  await postgres?.stop()
})

async function start(role: Role): Promise<Member> {
  const process = spawnRackrate(role === 'worker' ? ['worker'] : ['serve', '--only', role], environment)
  const said = await vi.waitFor(
    () => {
      const words = /rackrate (?:serves .* at (http:\S+)|worker takes)/.exec(process.output())
      if (!words) throw new Error(`${role} is not up: ${process.output()}`)
      return words
    },
    { timeout: 60_000, interval: 50 },
  )
  const member: Member = { role, process, url: said[1] }
  members.push(member)
  return member
}

const living = (role: Role) => members.filter((member) => member.role === role && member.killed === undefined)

/** One request, as a proxy in front of the members passes it on: to the next member when one can't be connected to. */
async function send(
  role: Role,
  turn: number,
  path: string,
  init: RequestInit,
  sent: Sent[],
): Promise<boolean> {
  const candidates = living(role)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const member = candidates[(turn + attempt) % candidates.length]
    if (!member) continue
    const began = Date.now()
    const done = (failure?: string) => {
      sent.push({ member, began, ended: Date.now(), ...(failure && { failure }) })
      return failure === undefined
    }
    try {
      const response = await fetch(`${member.url}${path}`, init)
      const body = await response.text()
      return done(response.ok ? undefined : `${response.status} ${body}`)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (cause?.code === 'ECONNREFUSED') continue
      return done(String(cause?.code ?? error))
    }
  }
  throw new Error(`no process answered ${role} ${path}`)
}

it('killing each process in turn under load loses no slot, and fails only its own requests', async () => {
  for (const role of ['metrics', 'metrics', 'companion', 'companion', 'worker', 'worker'] as const)
    await start(role)
  const { key } = await createKey(databases.postgres, { accountId: 1001 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent: Sent[] = []
  const written: string[] = []
  let loading = true

  const reader = async (lane: number) => {
    for (let turn = lane; loading; turn += 1) {
      const path = `/api/v0/metrics/gpu/history?gpu_name=all&verified=all&start=1752000000&end=${1_752_100_000 + (turn % 50)}`
      await send('metrics', turn, path, { headers }, sent)
    }
  }
  const writer = async (lane: number) => {
    // An account has at most a hundred keys, which a slow machine would reach while the members start.
    for (let turn = 0; loading && turn < 95; turn += 1) {
      const name = `key ${lane}-${turn}`
      const body = JSON.stringify({ name, permissions: { api: { machine_read: {} } } })
      const made = await send(
        'companion',
        turn,
        '/api/v0/auth/apikeys',
        { method: 'POST', headers, body },
        sent,
      )
      if (made) written.push(name)
      await pause(500)
    }
  }
  const load = await openWakeUp(databases.postgres, 'load', queues)
  const waiting = async () =>
    (await databases.postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')).rowCount ?? 0
  // Slots always wait to be loaded, but few at the end.
  const capturer = async () => {
    for (let slot = 1_752_000_000; loading; await pause(200)) {
      if ((await waiting()) > 2) continue
      await Promise.all([capture(databases.postgres, slot), capture(databases.postgres, slot)])
      load.wake()
      slot += 300
    }
  }

  const working = Promise.all([reader(0), reader(1), reader(2), writer(0), capturer()])
  for (const victim of [...members]) {
    await pause(500)
    victim.killed = Date.now()
    victim.process.kill('SIGKILL')
    expect(await exited(victim.process)).toBe('SIGKILL')
    await start(victim.role)
  }
  loading = false
  await working
  await load.close()

  const unexplained = sent.filter(
    ({ failure, member, began, ended }) =>
      failure !== undefined &&
      !(member.killed !== undefined && began <= member.killed && ended >= member.killed),
  )
  expect(unexplained.map(({ failure }) => failure)).toEqual([])
  const served = sent.filter(({ failure }) => failure === undefined).length
  console.log(
    `fleet: ${served} requests answered, ${sent.length - served} lost with a process that was killed`,
  )
  expect(served).toBeGreaterThan(100)

  // Acknowledged work is done once.
  const { rows } = await databases.postgres.query<{ name: string }>(
    `SELECT name FROM api_keys WHERE name LIKE 'key %' ORDER BY id`,
  )
  const names = rows.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(written.filter((name) => !names.includes(name))).toEqual([])

  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 400_000, interval: 200 })
  for (const { process } of members.filter(({ killed }) => killed === undefined)) {
    process.kill('SIGTERM')
    expect(await exited(process), process.output()).toBe(0)
  }
  await expectComplete(databases)
}, 700_000)
