import { join } from 'node:path'
import type { Command } from 'commander'
import type { Catalog } from '../../collect/catalog.ts'
import { day } from '../../contract/durations.ts'
import type { PreparedMarket } from '../../simulate/create-market.ts'
import { demoAdmin, demoHost } from '../../simulate/demo-addresses.ts'
import { withConfig } from '../command.ts'
import type { Config } from '../config.ts'
import type { Demo } from '../demo.ts'
import { type JsonOption, jsonOption } from '../output.ts'
import type { ConfiguredSource } from '../site-sources.ts'
import {
  type CatalogOptions,
  callsPerMinuteOption,
  catalogOption,
  type SourceFlags,
  sourceMapOption,
  sourceOption,
} from '../source-options.ts'
import type { SiteStores } from '../stores.ts'
import { systemClock } from '../system-clock.ts'

interface UpOptions extends JsonOption, SourceFlags, CatalogOptions {
  demo: boolean
}

const simulatedMarket = { seed: 1, size: 2500, days: 21 }

export const up = (program: Command) =>
  program
    .command('up')
    .description(
      'run databases, API and workers in one process; an empty database is filled with a simulated market',
    )
    .option('--no-demo', 'do not simulate a market')
    .addOption(sourceOption)
    .addOption(sourceMapOption)
    .addOption(callsPerMinuteOption)
    .addOption(catalogOption)
    .addOption(jsonOption)
    .action(withConfig<UpOptions>(({ config, options }) => runAll(config, options)))

async function runAll(config: Config, { demo, json, ...options }: UpOptions): Promise<void> {
  const { configuredCatalog, configuredSources, openRecordedMarkets } = await import('../site-sources.ts')
  const { openStores } = await import('../stores.ts')
  const { isNewDirectory } = await import('../../embedded/engines.ts')

  const sources = configuredSources(config, options)
  const catalog = configuredCatalog(config, options)
  const own = config.databaseUrl && config.clickhouse ? '' : ` in ${config.dataDir}`
  console.error(`Starting: databases${own}`)
  const isSimulated = demo && sources.length === 0
  const isNew = !config.databaseUrl && isNewDirectory(config.dataDir)
  const [
    stores,
    prepared,
    { openMetrics, listen, openDemo, untilStopped, closeMarkets, startConfiguredWorkers },
  ] = await Promise.all([
    openStores(config, {
      exclusive: true,
      onLog: (text) => config.logLevel === 'debug' && process.stderr.write(text),
    }),
    isSimulated && isNew ? prepare(config) : undefined,
    loadService(),
  ])
  const markets = await openRecordedMarkets(config, stores, sources)
  const firstSlot = isSimulated
    ? await simulate(config, stores, { prepared, hasClouds: catalog === undefined })
    : undefined
  const demoed = await openDemo(stores, config.dataDir)
  const metrics = openMetrics()
  console.error('Starting: API and workers')
  const listening = await listen(config, stores, { metrics, markets, isDemo: demoed !== undefined })
  await firstSlot?.loaded
  // The first evaluation, at the start of the workers, is of the first slot.
  if (demoed && firstSlot) await giveRules(listening.url, demoed)
  const workers = await startConfiguredWorkers(config, stores, {
    metrics,
    sources,
    markets,
    catalog: catalog ?? (demoed && (await inventedClouds())),
  })

  const history = await fillInHistory(stores)

  const { url } = listening
  const names = sources.map(({ source }) => source.name)
  const line = json
    ? JSON.stringify({ url, simulated: demoed !== undefined, source: names[0], sources: names, ...demoed })
    : banner(url, demoed, { sources, catalog, outbox: join(config.dataDir, 'outbox') })
  await untilStopped(
    line,
    async () => {
      history.stop()
      await listening.close()
      await workers.close(config.shutdownTimeoutMs / 2)
      await history.filled
      await closeMarkets(markets)
      await stores.close()
    },
    config,
  )
}

/** Loads the modules of the service, while the databases start: they take half a second of CPU. */
async function loadService() {
  const { openMetrics } = await import('../../platform/http/prometheus.ts')
  const { listen } = await import('../api.ts')
  const { openDemo } = await import('../demo.ts')
  const { untilStopped } = await import('../shutdown.ts')
  const { closeMarkets } = await import('../markets.ts')
  const { startConfiguredWorkers } = await import('../start-workers.ts')
  return { openMetrics, listen, openDemo, untilStopped, closeMarkets, startConfiguredWorkers }
}

/** Gives the demo host its first rules. Without them the demo works, too. */
async function giveRules(url: string, { keys }: Demo): Promise<void> {
  const { seedRules } = await import('../demo-rules.ts')
  await seedRules(url, keys.host).catch((error: Error) =>
    console.error(`The demo host has no rules: ${error.message}`),
  )
}

async function inventedClouds(): Promise<Catalog> {
  const { simulatedCatalog } = await import('../../simulate/clouds.ts')
  return simulatedCatalog(simulatedMarket.seed)
}

/** Simulates the market while its new databases start. */
async function prepare({ snapshotInterval }: Config): Promise<PreparedMarket> {
  const { prepareMarket } = await import('../../simulate/create-market.ts')
  return prepareMarket({ ...simulatedMarket, interval: snapshotInterval, now: systemClock.now() })
}

interface Simulated {
  prepared: PreparedMarket | undefined
  /** True: invented clouds have a past, too. */
  hasClouds: boolean
}

/**
 * Fills an empty database with a market. Its first slot, the result, is loaded while the API starts, so that the first request already has
 * an answer. undefined: the database was not empty. (In an object: an async function would wait for the slot.)
 */
async function simulate(
  { snapshotInterval }: Config,
  stores: SiteStores,
  { prepared, hasClouds }: Simulated,
): Promise<{ loaded: Promise<unknown> } | undefined> {
  const { takeSnapshot } = await import('../../ingest/take-snapshot.ts')
  const { seedMarket } = await import('../../simulate/create-market.ts')
  const { seedClouds } = await import('../../simulate/clouds.ts')
  console.error('Starting: market')
  const options = { ...simulatedMarket, interval: snapshotInterval }
  if (!(await seedMarket(stores.postgres, options, prepared))) return undefined
  const { seed, days } = simulatedMarket
  const now = systemClock.now()
  const from = now - days * day
  const clouds = hasClouds && seedClouds(stores.clickhouse, { seed, from, to: now })
  // If it fails, the workers try again and report it.
  const loaded = Promise.all([takeSnapshot(stores, snapshotInterval), clouds]).catch((error) =>
    console.error(`rackrate: ${error.message}`),
  )
  return { loaded }
}

/** Fills in the past of a simulated market while the service already answers. */
async function fillInHistory(stores: SiteStores) {
  const { fillHistory } = await import('../../simulate/fill-history.ts')
  const { reportProgress } = await import('../progress.ts')
  const stopping = new AbortController()
  const filled = fillHistory(stores, {
    signal: stopping.signal,
    onProgress: reportProgress('simulated history'),
    onPause: (error) => console.error(`Filling in the simulated history pauses: ${error.message}`),
  }).catch((error: Error) => {
    if (!stopping.signal.aborted)
      console.error(`Filling in the simulated history failed: ${error.message}. The next start continues it.`)
  })
  return { filled, stop: () => stopping.abort() }
}

interface Recorded {
  sources: readonly ConfiguredSource[]
  catalog: Catalog | undefined
  /** The folder of mail without a mail server. */
  outbox: string
}

function banner(url: string, demo: Demo | undefined, { sources, catalog, outbox }: Recorded): string {
  const lines = [
    '',
    `  rackrate is up: charts at ${url}/   (sign in with an API key; API documentation at ${url}/docs)`,
    '',
  ]
  if (demo) {
    const { keys, seeded } = demo
    lines.push(
      '  The market is simulated. API keys of its demo accounts (also in demo-keys.json of the data directory):',
      `    host   ${keys.host}`,
      `    admin  ${keys.admin}`,
      `    renter ${keys.renter}   (user ${seeded.renter_id}, instance ${seeded.instance_id}, cloud connection ${seeded.cloud_connection_id})`,
      `    team   ${keys.team}   (owned by the renter; the host, user ${seeded.host_id}, is a member without a role)`,
      `  Or sign in by e-mail as ${demoHost} or ${demoAdmin}: the mail is written to ${outbox}`,
      '',
      '  Try:',
      `    curl -H 'Authorization: Bearer ${keys.host}' '${url}/api/v0/metrics/gpu/history?gpu_name=RTX_4090&verified=all'`,
      '',
    )
  } else if (sources.length > 0) {
    lines.push(
      ...sources.map(({ source }) => `  A market comes from ${source.name}.`),
      '',
      '  Create an API key with: npx rackrate key create --role host   (admin: for SQL, too)',
      `  Say which machines are yours with: npx rackrate claim --source ${sources[0]?.name} --host ID`,
      '',
    )
  } else lines.push('  Create an API key with: npx rackrate key create --role admin', '')
  if (catalog) lines.push(`  List prices of clouds come from ${catalog.name}.`, '')
  return lines.join('\n')
}
