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

// Two processes of the API and two workers behind a balancer, each stopped with SIGTERM and started again while requests and slots come in.

let refused = 0
let ended = 0
const rounds = Number(process.env.ROUNDS ?? 2)

let postgres: OwnServer | undefined
let redis: OwnServer | undefined
let databases: TestDatabases
let environment: Record<string, string>
let queues: QueueAddress
const servers: Server[] = []
const workers: Process[] = []

type Process = ReturnType<typeof spawnRackrate>
interface Server {
  process: Process
  url: string
}

beforeAll(async () => {
  postgres = hasPostgres ? await startPostgres() : undefined
  databases = await freshDatabases(postgres?.url)
  redis = hasRedis ? await startRedis(await freePort()) : undefined
  queues = { ...databases.queues, ...(redis && { redisUrl: redis.url }) }
  // The machine of the tests may be busy.
  const settings = { PORT: '0', RATE_LIMIT: '1000000', SHUTDOWN_TIMEOUT: '60' }
  environment = { ...environmentOf(queues, databases.clickhouseAddress), ...settings }
  await smallMarket(databases.postgres, 60)
})
afterAll(async () => {
  for (const process of [...workers, ...servers.map((server) => server.process)]) process.kill('SIGKILL')
  await databases?.close()
  await redis?.stop()
  await postgres?.stop()
})

const said = (process: Process, words: RegExp) =>
  vi.waitFor(
    () => {
      const found = words.exec(process.output())
      if (!found) throw new Error(`not up: ${process.output()}`)
      return found
    },
    { timeout: 60_000, interval: 50 },
  )

async function startServer(): Promise<Server> {
  const process = spawnRackrate(['serve'], environment)
  const [, url = ''] = await said(process, /rackrate serves .* at (http:\S+)/)
  return { process, url }
}

async function startWorker(): Promise<Process> {
  const process = spawnRackrate(['worker'], environment)
  await said(process, /rackrate worker takes/)
  return process
}

/**
 * Sends a request as deploy/proxy/api.cfg does: to the next server when one refuses the connection, and also a GET whose connection ended
 * without an answer, because HTTP cannot prevent that a request meets the end of an idle connection. A POST is repeated then as a client does it,
 * with its Idempotency-Key. Returns the problem; undefined if there was none.
 */
async function send(turn: number, path: string, init: RequestInit): Promise<string | undefined> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const server = servers[(turn + attempt) % servers.length]
    try {
      const response = await fetch(`${server?.url}${path}`, init)
      const body = await response.text()
      return response.ok ? undefined : `${response.status} ${body}`
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; syscall?: string; message?: string } }
      // Refused, or reset while it was being opened, as the last ones are when a process stops listening.
      const unsent = cause?.syscall === 'connect'
      const unanswered = cause?.code === 'ECONNRESET' || cause?.code === 'UND_ERR_SOCKET'
      if (unsent) refused += 1
      else if (unanswered) ended += 1
      else return `${init.method ?? 'GET'} ${cause?.code} ${cause?.message ?? error}`
    }
  }
  return 'no server took it'
}

it(`restarts every process ${rounds} times under load without a failed request`, async () => {
  for (let n = 0; n < 2; n += 1) {
    servers.push(await startServer())
    workers.push(await startWorker())
  }
  const { key } = await createKey(databases.postgres, { accountId: 1001 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const failures: string[] = []
  let answered = 0
  let written = 0
  let loading = true
  const note = (failure: string | undefined) => {
    if (failure === undefined) answered += 1
    else failures.push(failure)
  }
  const reader = async (lane: number) => {
    for (let turn = lane; loading; turn += 1) {
      const range = `start=1752000000&end=${1_752_100_000 + (turn % 50)}`
      note(await send(turn, `/api/v0/metrics/gpu/history?gpu_name=all&verified=all&${range}`, { headers }))
    }
  }
  const writer = async () => {
    for (let turn = 0; loading && turn < 95; turn += 1) {
      const body = JSON.stringify({ name: `key ${turn}`, permissions: { api: { machine_read: {} } } })
      const once = { ...headers, 'idempotency-key': `restart-${turn}` }
      note(await send(turn, '/api/v0/auth/apikeys', { method: 'POST', headers: once, body }))
      written = turn + 1
      await pause(200)
    }
  }
  const load = await openWakeUp(databases.postgres, 'load', queues)
  const waiting = async () =>
    (await databases.postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')).rowCount ?? 0
  // Slots always wait to be loaded, but few at the end.
  const capturer = async () => {
    for (let slot = 1_752_000_000; loading; await pause(200)) {
      if ((await waiting()) > 2) continue
      await capture(databases.postgres, slot)
      load.wake()
      slot += 300
    }
  }

  const working = Promise.all([reader(0), reader(1), writer(), capturer()])
  for (let round = 0; round < rounds; round += 1)
    for (let n = 0; n < 2; n += 1) {
      const server = servers[n]
      server?.process.kill('SIGTERM')
      if (server) expect(await exited(server.process), server.process.output()).toBe(0)
      servers[n] = await startServer()
      const worker = workers[n]
      worker?.kill('SIGTERM')
      if (worker) expect(await exited(worker), worker.output()).toBe(0)
      workers[n] = await startWorker()
    }
  loading = false
  await working
  await load.close()
  console.log(
    `rolling restart: ${rounds * 4} restarts, ${answered} requests answered, ${refused} refused and ${ended} ended connections sent again, ${failures.length} failed`,
  )
  expect(failures).toEqual([])
  const { rows } = await databases.postgres.query(`SELECT name FROM api_keys WHERE name LIKE 'key %'`)
  expect(rows.map(({ name }) => name).sort()).toEqual(
    Array.from({ length: written }, (_, turn) => `key ${turn}`).sort(),
  )
  // Now and then a request meets the end of an idle connection. With every stop it would be the service that ends them too soon.
  expect(ended).toBeLessThanOrEqual(rounds)
  expect(answered).toBeGreaterThan(100)

  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 400_000, interval: 200 })
  await expectComplete(databases)
}, 900_000)
