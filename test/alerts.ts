import { loadAll } from '../ingest/load.ts'
import { runRules } from '../src/alerts/run.ts'
import type { MachineAtSlot } from './oracle/history.ts'
import { spool } from './random-market.ts'
import { startServer, type TestServerOptions } from './server.ts'
import { openWorld } from './world.ts'

/** A slot of a small market: twelve machines of others, and the machine of the demo host. */
export function marketAt(
  slot: number,
  { price, own, machine = 1 }: { price: number; own?: Partial<MachineAtSlot> | undefined; machine?: number },
): MachineAtSlot[] {
  const one = (id: number, changes: Partial<MachineAtSlot> = {}): MachineAtSlot => ({
    slot,
    machine: id,
    gpu: 'RTX 4090',
    rig: 1,
    verified: false,
    hosting: 'community' as const,
    free: 1,
    price,
    rented: [],
    tflops: 82,
    dlperf: 98,
    host: 1000 + id,
    ...changes,
  })
  const others = Array.from({ length: 12 }, (_, n) => one(5001 + n, { price: price + n / 1000 }))
  return own ? [...others, one(machine, own)] : others
}

/** The service, the demo accounts, and a market that is loaded slot by slot. */
export async function openAlertsWorld(options: TestServerOptions = {}) {
  const { snapshotInterval: interval = 300 } = options
  const server = await startServer({ seriesMaxAgeMs: 0, ...options })
  await server.postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  const world = await openWorld(server)
  const stores = { ...server, snapshotInterval: interval, publicUrl: undefined }
  const state = { slot: Math.floor(Date.now() / 1000 / interval) * interval - 200 * interval }
  const spoolNext = async (price: number, own?: Partial<MachineAtSlot>): Promise<number> => {
    state.slot += interval
    await spool(server.postgres, state.slot, marketAt(state.slot, { price, own, machine: world.machine_id }))
    return state.slot
  }
  return {
    server,
    world,
    stores,
    state,
    spoolNext,
    /** Loads a slot and evaluates the rules at it. */
    async land(price: number, own?: Partial<MachineAtSlot>): Promise<number> {
      const slot = await spoolNext(price, own)
      await loadAll(server)
      await runRules(stores)
      return slot
    },
    run: () => runRules(stores),
    load: () => loadAll(server),
  }
}

/** A rule that fires when the median falls below $0.30. */
export const belowThirty = {
  kind: 'statistic',
  gpu_name: 'RTX 4090',
  verified: 'all',
  statistic: 'avail_median',
  is: 'below',
  limit: 0.3,
  slots: 1,
}
