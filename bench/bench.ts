import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportProgress } from '../cli/progress.ts'
import { systemClock } from '../cli/system-clock.ts'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { startEngines } from '../embedded/engines.ts'
import { loadAll } from '../ingest/load.ts'
import { createKey } from '../platform/security/api-keys.ts'
import { openVault } from '../platform/security/vault.ts'
import {
  type ClickHouse,
  type ClickHouseAddress,
  closeAdHoc,
  openAdHoc,
  openClickHouse,
  selectRows,
} from '../platform/stores/clickhouse.ts'
import { noteInterval } from '../platform/stores/flow-progress.ts'
import { migrate } from '../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../platform/stores/postgres.ts'
import { demoAccounts, seedMarket } from '../simulate/create-market.ts'
import { fillHistory } from '../simulate/fill-history.ts'
import { buildApp } from '../src/app.ts'
import { createKeyFor } from '../src/companion/keys/key-for-role.ts'
import { measureAdvice } from './advice.ts'
import { measureAlerts } from './alerts.ts'
import { measureAutopilot } from './autopilot.ts'
import { measureEndpoints } from './endpoints.ts'
import { fillForAdvice } from './fill-for-advice.ts'
import { measureFlood } from './flood.ts'
import { measureForecasts, measureRealForecasts } from './forecasts.ts'
import { measureIdle } from './idle.ts'
import { printAdvice } from './income-errors.ts'
import { measureIngest } from './ingest.ts'
import { measureLoad } from './load.ts'
import { measureOwnPast } from './own-past.ts'
import { measurePages } from './page.ts'
import { measureQueries } from './queries.ts'
import { measureReplay } from './replay.ts'
import { measureHistoryBesideSql, measureSql } from './sql.ts'
import { measureTerms } from './terms.ts'

const help = `npm run bench -- [history | endpoints | load | flood | advice | autopilot | replay | alerts | forecast | sql | page | own | terms | idle] [--machines 10000] [--days 7] [--interval 300] [--repeat 30] [--seconds 60] [--data FOLDER] [--json]

Builds a simulated market of that size on embedded engines in a temporary directory, through the product's own paths, then prints
what a slot costs and what questions cost, each beside the same answer out of raw observations. With \`history\`: only the questions. With \`endpoints\`: what an answer of each
statistics endpoint takes that nobody asked for before, beside its own statements alone; 90 days of 2,500 machines every hour unless given. With \`load\`: what two API processes
serve of a mix of history requests for that many seconds, beside a constant of the same size. With \`advice\`: how far forecasts of
income from fill rates are off on days held out, beside price × the occupancy of the market; a week tells of the 30 days after it; five markets of 2,500 machines every hour unless given. With \`autopilot\`: what the same machines earn when a rule sets their prices, beside a script and prices that are left alone; five markets of 1,000 machines, without databases. With \`replay\`: how many 80 % intervals of what machines would have earned at other prices hold what the simulator has them earn; five markets of 2,500 machines, without databases. With \`alerts\`: what 10,000 alert rules cost at a slot; 2,500 machines unless given. With \`forecast\`: what share of outcomes the bands of forecasts held, and their error beside that of the present value; 120 days of 1,000 machines unless given, without databases, and the same of AWS spot prices where \`--data\` names a folder with them. With \`flood\`: what a host's reads take while
unknown keys and anonymous requests arrive, beside what they take without. With \`sql\`: what \`SELECT 1\` takes through the API, beside straight to the engine, and what questions take beside heavy statements. With \`page\`:
how long the pages take in a browser, how far they move meanwhile, and how large their scripts are; 31 days of 2,500 machines every half
hour unless given. With \`own\`: what the past of own machines takes, from whole days and from observations; 91 days of 4,000 machines every quarter of an hour unless given. With \`terms\`: what the terms of listings add to a slot; a day of 4,000 machines unless given. With \`idle\`: how long
\`rackrate up\` takes to be ready, and what it takes while nobody asks anything. With \`--json\`, the last line is the figures of the questions, of the endpoints, or of the pages.
Machines are shared and noisy: compare within one run only.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    machines: { type: 'string' },
    days: { type: 'string' },
    interval: { type: 'string' },
    repeat: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** The market of a part unless another one is given. */
const usual = { machines: '10000', days: '7', interval: '300' }
const ofPart: Record<string, Partial<typeof usual>> = {
  advice: { machines: '2500', days: '37', interval: '3600' },
  alerts: { machines: '2500' },
  autopilot: { machines: '1000' },
  forecast: { machines: '1000', days: '120' },
  replay: { machines: '2500' },
  page: { machines: '2500', days: '31', interval: '1800' },
  endpoints: { machines: '2500', days: '90', interval: '3600' },
  own: { machines: '4000', days: '91', interval: '900' },
  terms: { machines: '4000', days: '1' },
}
const isAsked = (part: string) => positionals.includes(part)

interface Size {
  machines: number
  days: number
  interval: number
}

interface Market {
  postgres: Postgres
  clickhouse: ClickHouse
  databaseUrl: string
  address: ClickHouseServer
}

async function main(): Promise<void> {
  if (values.help) return console.log(help)
  const of = { ...usual, ...ofPart[positionals.find((part) => part in ofPart) ?? ''], ...values }
  const [machines, days, interval, repeat] = [of.machines, of.days, of.interval, of.repeat].map(Number)
  if (!machines || !days || !interval || !repeat) throw new Error(help)
  if (isAsked('idle')) return measureIdle(Number(values.seconds))
  const size = { machines, days, interval }
  if (isAsked('autopilot')) return measureAutopilot([1, 2, 3, 4, 5], machines)
  if (isAsked('replay')) return measureReplay([1, 2, 3, 4, 5], machines)
  if (isAsked('advice')) return printAdvice(await inMarkets([1, 2, 3, 4, 5], size))
  if (isAsked('forecast')) {
    measureRealForecasts(values.data)
    return measureForecasts(machines, days)
  }
  await inMarket({ ...size, seed: 1 }, (market) => measure(market, size, repeat))
}

/** What forecasts are off in several markets, one after the other: no two are alike. */
async function inMarkets(seeds: readonly number[], size: Size) {
  const found = []
  for (const seed of seeds)
    found.push(await inMarket({ ...size, seed }, ({ clickhouse }) => measureAdvice(clickhouse, size.days)))
  return found
}

/** Works on a simulated market of that size, with its history, on engines of its own. */
async function inMarket<Found>(
  { seed, machines, days, interval }: Size & { seed: number },
  work: (market: Market) => Promise<Found>,
): Promise<Found> {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-bench-'))
  const {
    databaseUrl,
    clickhouse: address,
    stop,
  } = await startEngines(dir, { postgres: true, clickhouse: true })
  try {
    if (!databaseUrl || !address) throw new Error('the embedded engines gave no address')
    const postgres = openPostgres(databaseUrl, console.error)
    const clickhouse = openClickHouse(address)
    await migrate(postgres, clickhouse, address)
    await noteInterval(postgres, interval)

    // Says that the past lacks nothing, as a worker does when it starts.
    await loadAll({ postgres, clickhouse })
    await seedMarket(postgres, { seed, size: machines, days, interval })
    const started = performance.now()
    await fillHistory(
      { postgres, clickhouse },
      {
        signal: new AbortController().signal,
        onProgress: reportProgress('history'),
        // As much at once as half a gigabyte of memory and a lock that nobody waits for allow.
        rowsPerInsert: 1_500_000,
        rowsPerBatch: 40_000_000,
        ...(isAsked('advice') && { into: fillForAdvice }),
      },
    )
    await printSize(clickhouse, { machines, days, interval }, (performance.now() - started) / 1000)
    const found = await work({ postgres, clickhouse, databaseUrl, address })
    await clickhouse.close()
    await postgres.end()
    return found
  } finally {
    await stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function printSize(clickhouse: ClickHouse, { machines, days, interval }: Size, seconds: number) {
  const tables = await selectRows<{ table: string; rows: number; bytes: number }>(
    clickhouse,
    `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`,
  )
  const { rows: observations = 0 } = tables.find(({ table }) => table === 'observations') ?? {}
  console.log(
    `\n${machines} machines, ${days} days, every ${interval} s: ${observations.toLocaleString('en')} observations`,
  )
  console.log(
    `history filled and rolled up      ${Math.round(observations / seconds).toLocaleString('en')} rows/s`,
  )
  for (const { table, rows, bytes } of tables)
    console.log(
      `${table.padEnd(33)} ${(bytes / days / 1e6).toFixed(2)} MB a day, ${(bytes / rows).toFixed(2)} bytes a row`,
    )
}

async function measure(market: Market, size: Size, repeat: number): Promise<void> {
  const { postgres, clickhouse, databaseUrl, address } = market
  if (isAsked('alerts')) return measureAlerts(postgres, clickhouse, size.interval)
  if (isAsked('own')) return measureOwnPast(market, Math.min(20, repeat))
  if (isAsked('terms')) return measureTerms(market, size.interval)
  const { key } = await createKeyFor(postgres, { role: 'admin' })
  const options = {
    postgres,
    clickhouse,
    clock: systemClock,
    vault: openVault({ key: randomBytes(32) }),
    snapshotInterval: size.interval,
    rateLimit: 1e9,
    addressRateLimit: 1e9,
    trustedProxies: 0,
    logLevel: 'silent',
  }
  if (isAsked('load') || isAsked('flood')) {
    const under = isAsked('flood') ? measureFlood : measureLoad
    return under({ environment: environmentOf(databaseUrl, address), key, seconds: Number(values.seconds) })
  }
  if (isAsked('endpoints')) {
    const endpoints = await measureEndpoints({ server: options, key })
    if (values.json) console.log(JSON.stringify({ ...size, endpoints }))
    return
  }
  const isPage = isAsked('page')
  const isHistory = isAsked('history')
  if (!isPage && !isHistory && !isAsked('sql')) await measureIngest(postgres, clickhouse)
  const adHoc = address.analyst && openAdHoc(address, address.analyst)
  const app = await buildApp(options, { metrics: { adHoc } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  if (adHoc && !isPage && !isHistory) {
    await measureSql(url, key, adHoc)
    await measureHistoryBesideSql(url, key)
  }
  const figures = isPage
    ? await measurePages({
        url,
        keys: { host: await keyOfHost(postgres), admin: key },
        loads: Math.min(20, repeat),
      })
    : isAsked('sql')
      ? {}
      : { history: await measureQueries({ clickhouse, url, key, repeat, interval: size.interval }) }
  if (values.json) console.log(JSON.stringify({ ...size, ...figures }))
  await app.close()
  await closeAdHoc(adHoc)
}

async function keyOfHost(postgres: Postgres): Promise<string> {
  const accounts = await demoAccounts(postgres)
  if (!accounts) throw new Error('the simulated market has no host')
  return (await createKey(postgres, { accountId: accounts.hostId })).key
}

const environmentOf = (databaseUrl: string, clickhouse: ClickHouseAddress): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: clickhouse.username,
  CLICKHOUSE_PASSWORD: clickhouse.password,
  CLICKHOUSE_DATABASE: clickhouse.database,
  ENCRYPTION_KEY: '0'.repeat(64),
  RATE_LIMIT: '1000000000',
})

await main()
