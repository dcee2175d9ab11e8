import { Command, InvalidArgumentError } from 'commander'
import { createKey } from '../platform/security/api-keys.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { demoAccounts } from '../simulate/create-market.ts'
import { measureAlerts } from './alerts.ts'
import { measureEndpoints } from './endpoints.ts'
import { fillForAdvice } from './fill-for-advice.ts'
import { measureFlood } from './flood.ts'
import { measureForecasts, measureRealForecasts } from './forecasts.ts'
import { measureIdle } from './idle.ts'
import { printIncomes } from './income-errors.ts'
import { measureIncomes } from './incomes.ts'
import { measureIngest } from './ingest.ts'
import { type LoadOptions, measureLoad } from './load.ts'
import { measureOwnPast } from './own-past.ts'
import { measurePages } from './page.ts'
import { measurePeers } from './peers.ts'
import { measurePrivacy } from './privacy.ts'
import { measureQueries } from './queries.ts'
import { adminKeyOf, inMarket, type Market, serve, serverOf } from './simulated-market.ts'
import { measureHistoryBesideSql, measureSql } from './sql.ts'
import { measureTerms } from './terms.ts'
import { type Part, partsWithoutDatabases, type Settings, seeds } from './without-databases.ts'

const week = { machines: 10_000, days: 7, interval: 300 }

const parts: Record<string, Part> = {
  ...partsWithoutDatabases,
  all: {
    measures:
      "what a slot's load, ad hoc SQL and requests to the history cost; without a name of a part, this",
    usual: { ...week, repeat: 30 },
    run: (settings) =>
      inMarket(settings, async (market) => {
        await measureIngest(market.postgres, market.clickhouse)
        await sql(market)
        return history(market, settings)
      }),
  },
  history: {
    measures: 'requests to the history, beside the same answers out of observations',
    usual: { ...week, repeat: 30 },
    run: (settings) => inMarket(settings, (market) => history(market, settings)),
  },
  endpoints: {
    measures: 'a new answer of every statistics endpoint, beside its statements alone',
    usual: { machines: 2500, days: 90, interval: 3600 },
    run: (settings) =>
      inMarket(settings, async (market) => ({
        endpoints: await measureEndpoints({ server: serverOf(market), key: await adminKeyOf(market) }),
      })),
  },
  peers: {
    measures: 'the same questions to the service, ClickHouse, DuckDB and PostgreSQL, beside each other',
    usual: { ...week, days: 8, repeat: 20 },
    run: (settings) =>
      inMarket(settings, async (market) => ({ peers: await measurePeers(market, settings.repeat) })),
  },
  load: {
    measures:
      'what two API processes serve of a mix of requests to the history, beside a constant of the same size',
    usual: { ...week, seconds: 60 },
    run: (settings) => inMarket(settings, async (market) => measureLoad(await loadOf(market, settings))),
  },
  flood: {
    measures: "a host's reads while unknown keys and anonymous requests arrive, beside those without",
    usual: { ...week, seconds: 60 },
    run: (settings) => inMarket(settings, async (market) => measureFlood(await loadOf(market, settings))),
  },
  sql: {
    measures:
      'SELECT 1 through the API, by the client and by bare HTTP, and the history beside heavy statements',
    usual: week,
    run: (settings) => inMarket(settings, sql),
  },
  page: {
    measures:
      'how long pages take in a browser, how far they move meanwhile, and how large their scripts are',
    usual: { machines: 2500, days: 31, interval: 1800, repeat: 20 },
    run: (settings) => inMarket(settings, (market) => pages(market, settings)),
  },
  own: {
    measures: 'the past of own machines, from whole days and from observations',
    usual: { machines: 4000, days: 91, interval: 900, repeat: 20 },
    run: (settings) => inMarket(settings, (market) => measureOwnPast(market, settings.repeat)),
  },
  terms: {
    measures: 'what terms of listings add to a slot',
    usual: { ...week, machines: 4000, days: 1 },
    run: (settings) => inMarket(settings, (market) => measureTerms(market, settings.interval)),
  },
  alerts: {
    measures: 'what 10,000 alert rules cost at a slot',
    usual: { ...week, machines: 2500 },
    run: (settings) =>
      inMarket(settings, ({ postgres, clickhouse }) =>
        measureAlerts(postgres, clickhouse, settings.interval),
      ),
  },
  income: {
    measures: 'the error of income forecasts from a week, on the 30 days after it, in five markets',
    usual: { machines: 2500, days: 37, interval: 3600 },
    async run({ days, ...settings }) {
      const found = []
      for (const seed of seeds)
        found.push(
          await inMarket({ days, ...settings }, ({ clickhouse }) => measureIncomes(clickhouse, days), {
            seed,
            into: fillForAdvice,
          }),
        )
      printIncomes(found)
    },
  },
  privacy: {
    measures:
      'how many incomes of others follow from asks and counts, with the newest slot and with the slot of an hour before',
    usual: { machines: 2500, days: 8, interval: 300 },
    run: (settings) =>
      inMarket(
        settings,
        async ({ clickhouse }) => ({ privacy: await measurePrivacy(clickhouse, settings.interval) }),
        { into: fillForAdvice },
      ),
  },
  forecast: {
    measures:
      'what share of outcomes the bands of forecasts hold, and their error beside that of the present value',
    usual: { machines: 1000, days: 120, data: '' },
    async run({ machines, days, data }) {
      measureRealForecasts(data)
      await measureForecasts(machines, days)
    },
  },
  idle: {
    measures: 'the time until `rackrate up` is ready, and its CPU and memory while nobody sends requests',
    usual: { seconds: 60 },
    run: ({ seconds }) => measureIdle(seconds),
  },
}

const history = async (market: Market, { repeat, interval }: Settings) => ({
  history: await serve(market, ({ url, key }) =>
    measureQueries({ clickhouse: market.clickhouse, url, key, repeat, interval }),
  ),
})

const sql = (market: Market): Promise<void> =>
  serve(market, async ({ url, key, adHoc: clients }) => {
    if (!clients) return console.log('ad hoc SQL is left out: the embedded engine does not offer it here')
    await measureSql({ url, key, clients, engine: market.address })
    await measureHistoryBesideSql(url, key)
  })

const pages = (market: Market, { repeat }: Settings) =>
  serve(market, async ({ url, key }) =>
    measurePages({ url, keys: { host: await keyOfHost(market.postgres), admin: key }, loads: repeat }),
  )

async function keyOfHost(postgres: Postgres): Promise<string> {
  const accounts = await demoAccounts(postgres)
  if (!accounts) throw new Error('the simulated market has no host')
  return (await createKey(postgres, { accountId: accounts.hostId })).key
}

const loadOf = async (market: Market, { seconds }: Settings): Promise<LoadOptions> => ({
  environment: {
    DATABASE_URL: market.databaseUrl,
    CLICKHOUSE_URL: market.address.url,
    CLICKHOUSE_USER: market.address.username,
    CLICKHOUSE_PASSWORD: market.address.password,
    CLICKHOUSE_DATABASE: market.address.database,
    ENCRYPTION_KEY: '0'.repeat(64),
    RATE_LIMIT: '1000000000',
    PARALLEL_REQUESTS: '1000000000',
  },
  key: await adminKeyOf(market),
  seconds,
})

const meanings: Record<keyof Settings, string> = {
  machines: 'machines of the simulated market',
  days: 'days of its history',
  interval: 'seconds between its slots',
  repeat: 'how often each question or page is asked, or the number of markets',
  seconds: 'how long requests are sent, or the idle service is watched',
  data: 'a folder with AWS spot prices',
}

function number(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

const program = new Command('npm run bench --').description(
  `Builds a simulated market on embedded engines in a temporary directory, through the product's own paths, and measures a part of the product on it.
Machines are shared and noisy: compare figures within one run only.`,
)
for (const [name, { measures, usual, run }] of Object.entries(parts)) {
  const command = program.command(name, { isDefault: name === 'all' }).description(measures)
  for (const [option, value] of Object.entries(usual)) {
    const meaning = meanings[option as keyof Settings]
    if (typeof value === 'number') command.option(`--${option} <n>`, meaning, number, value)
    else command.option(`--${option} <folder>`, meaning)
  }
  command.option('--json', 'print the figures as the last line, where the part has any')
  command.action(async ({ json, ...settings }: Settings & { json?: boolean }) => {
    const figures = await run(settings)
    if (json && typeof figures === 'object') console.log(JSON.stringify({ ...settings, ...figures }))
  })
}
await program.parseAsync()
