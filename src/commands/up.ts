import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillHistory } from '../../ingest/simulate/history.ts'
import { demoAccounts, seedMarket } from '../../ingest/simulate/seed.ts'
import type { Config } from '../config.ts'
import { createKey } from '../platform/api-keys.ts'
import type { Postgres } from '../platform/postgres.ts'
import { reportProgress } from '../progress.ts'
import { untilStopped } from '../shutdown.ts'
import { openStores } from '../stores.ts'
import { takeSnapshot } from './series.ts'
import { listen } from './serve.ts'
import { startConfiguredWorkers } from './worker.ts'

export interface UpOptions {
  demo: boolean
  json?: boolean
}

interface DemoKeys {
  host: string
  admin: string
}

const simulatedMachines = 2500
const simulatedDays = 21

/** `rackrate up`: everything in one process, on embedded engines where the configuration names none. */
export async function up(config: Config, { demo, json }: UpOptions): Promise<void> {
  const stores = await openStores(config, {
    exclusive: true,
    onLog: (text) => config.logLevel === 'debug' && process.stderr.write(text),
  })
  const { postgres, clickhouse } = stores
  if (demo) {
    await seedMarket(postgres, {
      seed: 1,
      size: simulatedMachines,
      days: simulatedDays,
      interval: config.snapshotInterval,
    })
    // So that the very first question has an answer.
    await takeSnapshot(stores, config.snapshotInterval)
  }
  const keys = await demoKeys(postgres, config.dataDir)
  const listening = await listen(config, stores, { metrics: true, companion: true })
  const workers = await startConfiguredWorkers(config, stores)

  if (json) console.log(JSON.stringify({ url: listening.url, simulated: keys !== undefined, keys }))
  else console.log(banner(listening.url, keys))

  const stopping = new AbortController()
  const progress = reportProgress('simulated history')
  const filling = fillHistory(postgres, clickhouse, progress, stopping.signal).catch((error: Error) => {
    if (!stopping.signal.aborted)
      console.error(`The simulated history stopped short: ${error.message}. The next start goes on.`)
  })

  await untilStopped(async () => {
    stopping.abort()
    await listening.close()
    await workers.close(config.shutdownTimeoutMs / 3)
    await filling
    await stores.close()
  }, config.shutdownTimeoutMs)
}

/**
 * Keys of the demo accounts, which only a simulated market has. Made at the first start and kept in a file that only the owner of the
 * data directory can read, so that every start can show them; the database has their hashes, as of any key.
 */
async function demoKeys(postgres: Postgres, dataDir: string): Promise<DemoKeys | undefined> {
  const accounts = await demoAccounts(postgres)
  if (!accounts) return undefined
  const file = join(dataDir, 'demo-keys.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const make = async (accountId: number, name: string) =>
      (await createKey(postgres, { accountId, name })).key
    const keys = {
      host: await make(accounts.hostId, 'demo host'),
      admin: await make(accounts.adminId, 'demo admin'),
    }
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, JSON.stringify(keys), { mode: 0o600 })
    return keys
  }
}

function banner(url: string, keys: DemoKeys | undefined): string {
  const lines = ['', `  rackrate is up at ${url}   (API page: ${url}/docs)`, '']
  if (keys) {
    lines.push(
      '  The market is simulated. Keys of its demo accounts:',
      `    host   ${keys.host}`,
      `    admin  ${keys.admin}`,
      '',
      '  Try:',
      `    curl -H 'Authorization: Bearer ${keys.host}' '${url}/api/v0/metrics/gpu/history?gpu_name=RTX_4090&verified=all'`,
      '',
    )
  } else {
    lines.push('  Make a key with: npx rackrate key create --role admin', '')
  }
  return lines.join('\n')
}
