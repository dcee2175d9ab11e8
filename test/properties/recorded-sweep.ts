import type { z } from 'zod'
import { collect } from '../../collect/collect.ts'
import { keepOfficialServer, readOfficialServers } from '../../collect/read-official.ts'
import { keepToSource } from '../../collect/site-source.ts'
import { registerSources } from '../../collect/sources.ts'
import type { fillAnswer, GpuFill } from '../../contract/fill.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { readWithKeys } from '../../src/hosts/claims/read-with-keys.ts'
import { freshDatabases } from '../database.ts'
import type { SampledMarket } from '../sampled-market.ts'
import { startServer } from '../server.ts'
import type { TrueFlows } from '../true-flows.ts'
import {
  compareSlot,
  type MachineState,
  machinesOf,
  type SweptSlot,
  sampledInterval,
  sourceOfSampled,
} from './sampled-market.ts'

const host = 4
const hostKey = 'the-key-of-host-4-at-vast'
const day = 86_400

/** Records a sampled market with claimed machines and official aggregates on databases: each slot is collected, and loaded. */
export async function openRecordedSweep(market: SampledMarket) {
  const databases = await freshDatabases()
  const { postgres, clock, vault } = databases
  const source = sourceOfSampled(market)
  await keepToSource(postgres, source)
  await registerSources(postgres, ['vast'])
  const server = await startServer({ databases, snapshotInterval: sampledInterval, seriesMaxAgeMs: 0 })
  const { key } = await createKeyFor(postgres, { role: 'host' })
  const own = market.addHost(host, hostKey)
  const first = market.time
  await clock.hold(first)
  market.official.since = first - 20 * day
  let before = new Map<number, MachineState>()
  let slot = first

  async function take(): Promise<SweptSlot> {
    await clock.hold(slot)
    market.time = slot
    const searches = market.searches
    await collect(databases, source, { slot, interval: sampledInterval })
    const { rows } = await postgres.query<{ rows: string }>('SELECT rows FROM spool WHERE slot = $1', [slot])
    const seen = machinesOf(rows.flatMap((part) => part.rows.split('\n')))
    const of = await postgres.query('SELECT * FROM coverage WHERE slot = $1', [slot])
    const seenNow = await postgres.query('SELECT FROM sweep_machines WHERE seen = $1 AND key = ANY ($2)', [
      slot,
      own.map(String),
    ])
    const taken: SweptSlot = {
      ...compareSlot({ before, seen, truth: market.truth() }),
      searches: market.searches - searches,
      ownSeen: seenNow.rowCount ?? 0,
      coverage: of.rows[0],
    }
    before = seen
    slot += sampledInterval
    market.step()
    return taken
  }

  return {
    databases,
    server,
    own,
    key,
    hostKey,
    take,
    load: () => loadAll(databases),
    claim: () =>
      server.send('PUT', '/api/v0/metrics/claims', key, { source: 'vast', machines: own, key: hostKey }),
    /** Reads the own machines with the key, as a worker does at each slot. */
    async readKeys(): Promise<void> {
      const stopping = new AbortController().signal
      const options = { postgres, markets: [], vault, clock, stopping, pauseMs: 0 }
      await readWithKeys({ ...options, snapshotInterval: sampledInterval })
    },
    async readOfficial(): Promise<void> {
      const from = { source: 'vast', url: market.url, key: market.official.key, from: first - 20 * day }
      await keepOfficialServer(databases, from)
      await readOfficialServers(databases, { source: 'vast', pauseMs: 0 })
    },
    async fills(): Promise<Record<string, GpuFill>> {
      const path = `/api/v0/metrics/gpu/fill?gpu_name=all&verified=all&start=${first}&end=${slot}`
      const { body } = await server.send('GET', path, key)
      return (body as z.infer<typeof fillAnswer>).gpus
    },
    async machines(): Promise<Record<string, unknown>[]> {
      const { body } = await server.send('GET', '/api/v0/metrics/machines?figures=no', key)
      return (body as { machines: Record<string, unknown>[] }).machines
    },
    async close(): Promise<void> {
      await server.app.close()
      await databases.clock.release()
      await databases.close()
    },
  }
}

interface Held {
  cells: number
  held: number
  /** The GPUs that are rented or returned at the estimated rates, and the GPUs that were. */
  estimated: number
  happened: number
}

/** Compares estimated rates with the true ones. */
export function compareRates(
  fills: Record<string, GpuFill>,
  flows: ReadonlyMap<string, TrueFlows>,
): { rented: Held; returned: Held } {
  const compare = (kind: keyof TrueFlows): Held => {
    const sum = { cells: 0, held: 0, estimated: 0, happened: 0 }
    for (const [name, of] of flows) {
      const { all, return_rate } = fills[name] ?? {}
      const rate = kind === 'rented' ? all?.fill_rate : return_rate
      if (rate?.low == null || rate.high == null) continue
      const truth = of[kind].expected / of[kind].hours
      sum.cells += 1
      sum.held += Number(rate.low <= truth && truth <= rate.high)
      sum.estimated += (rate.value ?? 0) * of[kind].hours
      sum.happened += of[kind].happened
    }
    return sum
  }
  return { rented: compare('rented'), returned: compare('returned') }
}
