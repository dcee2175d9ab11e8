import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { capture } from '../../../ingest/capture.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { freePort, hasRedis, type OwnServer, startRedis } from '../../debian.ts'
import { smallMarket } from '../../market.ts'
import { needs } from '../../needs.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { openSwitch, type Switch } from '../../switch.ts'

// Requests through HAProxy with deploy/proxy/api.cfg to two API processes, while one part after the other is away.

const hasProxy = needs(
  spawnSync('haproxy', ['-v']).status === 0,
  'no haproxy is installed, so the shipped proxy is not tested',
)
const seconds = Number(process.env.OUTAGE_SECONDS ?? 10)
const pages = {
  account: '/api/v0/users/current',
  market: '/api/v0/metrics/gpu/history?gpu_name=all&verified=all',
}

let databases: TestDatabases
let redis: OwnServer | undefined
let postgres: Switch
let clickhouse: Switch
let headers: Record<string, string>
let proxy: ChildProcess
let proxyUrl: string
const folder = mkdtempSync(join(tmpdir(), 'rackrate-proxy-'))
const servers: ReturnType<typeof spawnRackrate>[] = []
const ports: number[] = []
let environment: Record<string, string>

async function startServer(place: number) {
  const server = spawnRackrate(['serve'], { ...environment, PORT: `${ports[place]}` })
  servers[place] = server
  await vi.waitFor(() => expect(server.output()).toMatch(/rackrate serves/), {
    timeout: 60_000,
    interval: 50,
  })
}

async function startProxy() {
  const port = await freePort()
  const shipped = readFileSync('deploy/proxy/api.cfg', 'utf8')
  const config = shipped
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll(/api-(\d):8080/g, (_, place) => `127.0.0.1:${ports[Number(place) - 1]}`)
  expect(config).not.toContain('8080')
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  proxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  proxyUrl = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await ask(pages.account))[0]).toBe(200), { timeout: 20_000 })
}

beforeAll(async () => {
  if (!hasProxy) return
  databases = await freshDatabases()
  redis = hasRedis ? await startRedis(await freePort()) : undefined
  postgres = await openSwitch(new URL(databases.queues.databaseUrl))
  clickhouse = await openSwitch(new URL(databases.clickhouseAddress.url))
  const databaseUrl = new URL(databases.queues.databaseUrl)
  databaseUrl.host = postgres.host
  environment = {
    ...environmentOf(
      { ...databases.queues, databaseUrl: databaseUrl.href, ...(redis && { redisUrl: redis.url }) },
      { ...databases.clickhouseAddress, url: `http://${clickhouse.host}` },
    ),
    RATE_LIMIT: '1000000',
  }
  await smallMarket(databases.postgres, 20)
  await capture(databases.postgres, 1_750_000_200)
  const { key } = await createKey(databases.postgres, { accountId: 1001 })
  headers = { authorization: `Bearer ${key}` }
  ports.push(await freePort(), await freePort())
  await Promise.all(ports.map((_, place) => startServer(place)))
  await startProxy()
}, 120_000)
afterAll(async () => {
  for (const child of [proxy, ...servers]) child?.kill('SIGKILL')
  await redis?.stop()
  await databases?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Answer = [status: number, body: unknown, retryAfter: string | null]

async function ask(path: string): Promise<Answer> {
  const response = await fetch(proxyUrl + path, { headers })
  return [response.status, await response.json(), response.headers.get('retry-after')]
}

/** The answers to 20 requests a second, half of each page, while a part is away. */
async function askWhile(isAway: () => boolean) {
  const answers: Record<keyof typeof pages, Promise<Answer>[]> = { account: [], market: [] }
  for (let turn = 0; isAway(); turn += 1) {
    answers.account.push(ask(pages.account))
    answers.market.push(ask(`${pages.market}&start=1750000000&end=${1_752_000_000 + turn}`))
    await pause(100)
  }
  return { account: await Promise.all(answers.account), market: await Promise.all(answers.market) }
}

const forSeconds = () => {
  const until = Date.now() + seconds * 1000
  return () => Date.now() < until
}

/** Expects failed requests to be answered in JSON, with a time to wait. */
function expectUnavailable(answers: readonly Answer[]) {
  for (const [status, body, retryAfter] of answers) {
    expect(status).toBe(503)
    expect(body).toMatchObject({ success: false, error: 'unavailable', msg: expect.any(String) })
    expect(Number(retryAfter)).toBeGreaterThan(0)
  }
}

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(([status]) => status))]

const isBack = () =>
  expect
    .poll(async () => [(await ask(pages.account))[0], (await ask(pages.market))[0]], { timeout: 60_000 })
    .toEqual([200, 200])

describe.runIf(hasProxy)('the shipped proxy', () => {
  it('answers requests about accounts while ClickHouse is away, and 503 in JSON about the market', async () => {
    await clickhouse.off()
    const { account, market } = await askWhile(forSeconds())
    await clickhouse.on()
    expect(statuses(account)).toEqual([200])
    expectUnavailable(market)
    await isBack()
  })

  it('answers 503 in JSON with Retry-After while PostgreSQL is away', async () => {
    await postgres.off()
    const { account, market } = await askWhile(forSeconds())
    await postgres.on()
    expectUnavailable(account)
    // A verified key is cached for a moment, and the market is read from ClickHouse.
    expectUnavailable(market.filter(([status]) => status !== 200))
    await isBack()
  })

  it.runIf(hasRedis)('answers all requests while Redis is away', async () => {
    await redis?.stop()
    const { account, market } = await askWhile(forSeconds())
    expect(statuses([...account, ...market])).toEqual([200])
    redis = await startRedis(Number(new URL(redis?.url ?? '').port))
  })

  it('answers all requests while one of two processes is killed and started again', async () => {
    const [first] = servers
    const answers = askWhile(forSeconds())
    first?.kill('SIGKILL')
    if (first) await exited(first)
    await startServer(0)
    const { account, market } = await answers
    expect(statuses([...account, ...market])).toEqual([200])
  })

  it('answers 503 in JSON with Retry-After while no process runs', async () => {
    for (const server of servers) server.kill('SIGKILL')
    await Promise.all(servers.map(exited))
    expectUnavailable([await ask(pages.account)])
    await Promise.all(ports.map((_, place) => startServer(place)))
    await isBack()
  })
})
