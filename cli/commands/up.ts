import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMetrics } from '../../platform/http/prometheus.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { fillHistory } from '../../simulate/history.ts'
import { demoAccounts, seedMarket } from '../../simulate/seed.ts'
import type { Config } from '../config.ts'
import { reportProgress } from '../progress.ts'
import { untilStopped } from '../shutdown.ts'
import { openStores } from '../stores.ts'
import { type Seeded, seedAccounts, seedKeys } from './seed.ts'
import { takeSnapshot } from './series.ts'
import { listen } from './serve.ts'
import { startConfiguredWorkers } from './worker.ts'

export interface UpOptions {
  demo: boolean
  json?: boolean
}

interface Demo {
  keys: { host: string; admin: string; renter: string; team: string }
  /** What there is to try the account services on. */
  seeded: Seeded
}

const simulatedMachines = 2500
const simulatedDays = 21

/** `rackrate up`: everything in one process, on embedded engines where the configuration names none. */
export async function up(config: Config, { demo, json }: UpOptions): Promise<void> {
  const stores = await openStores(config, {
    exclusive: true,
    onLog: (text) => config.logLevel === 'debug' && process.stderr.write(text),
  })
  const { postgres, vault } = stores
  if (demo) {
    await seedMarket(postgres, {
      seed: 1,
      size: simulatedMachines,
      days: simulatedDays,
      interval: config.snapshotInterval,
    })
    // So that the very first question has an answer. What stands in its way the workers will meet again, and report.
    await takeSnapshot(stores, config.snapshotInterval).catch((error) =>
      console.error(`rackrate: ${error.message}`),
    )
  }
  const demoed = await demoAccess(postgres, vault, config.dataDir)
  const metrics = openMetrics()
  const listening = await listen(config, stores, { metrics })
  const workers = await startConfiguredWorkers(config, stores, metrics)

  if (json) console.log(JSON.stringify({ url: listening.url, simulated: demoed !== undefined, ...demoed }))
  else console.log(banner(listening.url, demoed))

  const stopping = new AbortController()
  const filling = fillHistory(stores, {
    signal: stopping.signal,
    onProgress: reportProgress('simulated history'),
    onPause: (error) => console.error(`The simulated history pauses: ${error.message}`),
  }).catch((error: Error) => {
    if (!stopping.signal.aborted) console.error(`The simulated history stopped: ${error.message}`)
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
 * The demo accounts, which only a simulated market has, and keys of theirs. These are made at the first start and kept in a file that only
 * the owner of the data directory can read, so that every start can show them, with the ids of what there is to try;
 * the database has their hashes, as of any key.
 */
async function demoAccess(postgres: Postgres, vault: Vault, dataDir: string): Promise<Demo | undefined> {
  const accounts = await demoAccounts(postgres)
  if (!accounts) return undefined
  const seeded = await seedAccounts(postgres, vault)
  const file = join(dataDir, 'demo-keys.json')
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  if (kept.renter_id === seeded.renter_id) return { keys: kept, seeded }
  const { key: admin } = await createKey(postgres, { accountId: accounts.adminId, name: 'demo admin' })
  const keys = { ...(await seedKeys(postgres, seeded)), admin }
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify({ ...keys, ...seeded }), { mode: 0o600 })
  return { keys, seeded }
}

function banner(url: string, demo: Demo | undefined): string {
  const lines = [
    '',
    `  rackrate is up: charts at ${url}/   (sign in with a key; the API is described at ${url}/docs)`,
    '',
  ]
  if (demo) {
    const { keys, seeded } = demo
    lines.push(
      '  The market is simulated. Keys of its demo accounts (also in demo-keys.json of the data directory):',
      `    host   ${keys.host}`,
      `    admin  ${keys.admin}`,
      `    renter ${keys.renter}   (user ${seeded.renter_id}, instance ${seeded.instance_id}, cloud connection ${seeded.cloud_connection_id})`,
      `    team   ${keys.team}   (of the renter; user ${seeded.host_id}, the host, is a member without a role)`,
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
