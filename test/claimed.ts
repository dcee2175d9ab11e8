import { createKeyFor } from '../src/companion/keys/key-for-role.ts'
import type { MachineAtSlot } from './oracle/history.ts'
import { startServer, type TestServer } from './server.ts'
import type { Rig } from './stand-in.ts'
import { openTwoSources } from './two-sources.ts'

/**
 * A market of six hosts, 50 to 55, whose 48 machines are of few classes, so that some can be compared. In the last slot machine 1006 belongs to host
 * 99 instead of 50, and machine 1012 is missing.
 */
export const fleetAt = (step: number, isLast = false): Rig[] =>
  Array.from({ length: 48 }, (_, index) => {
    const gpus = index < 32 ? 4 : 8
    return {
      id: 1000 + index,
      host: isLast && index === 6 ? 99 : 50 + (index % 6),
      gpu: index < 40 ? 'RTX 4090' : 'H100 SXM',
      gpus,
      rented: index % 4 === 0 ? 0 : (3 * index + step) % (gpus + 1),
      price: (40 + (index % 10) + (step > 1 ? index % 3 : 0)) / 100,
      verified: index < 36,
      datacenter: false,
    }
  }).filter(({ id }) => !isLast || id !== 1012)

/** The slots of the market: three in an hour, and one in the next. */
const allSteps = [0, 1, 2, 10]
const lastStep = 10

/**
 * Two sources, of which the second, `vast`, has the fleet, and people who may claim machines of it. A test file that needs no past loads only the
 * last slot.
 */
export async function openClaimed({ isShort = false } = {}) {
  const steps = isShort ? [lastStep] : allSteps
  const sources = await openTwoSources()
  const { postgres } = sources.databases
  for (const step of steps) await sources.take(step, fleetAt(step, step === lastStep))
  await sources.load()
  const key = async () => (await createKeyFor(postgres, { role: 'host' })).key
  return {
    ...sources,
    newest: sources.slotAt(lastStep),
    /** Keys of two hosts without machines. */
    keys: { host: await key(), other: await key() },
    seen: steps.flatMap((step) => fleetAt(step, step === lastStep).map(seenAt(sources.slotAt(step)))),
  }
}

const seenAt =
  (slot: number) =>
  (rig: Rig): MachineAtSlot => ({
    slot,
    machine: rig.id,
    gpu: rig.gpu,
    rig: rig.gpus,
    verified: rig.verified,
    hosting: 'community',
    free: rig.gpus - rig.rented,
    price: rig.price,
    tflops: 80,
    dlperf: 100,
    host: rig.host,
    // From outside rented GPUs have the listed price.
    rented: rig.rented > 0 ? [{ gpus: rig.rented, price: rig.price }] : [],
  })

/** Takes a last slot of the fleet, holds the clock a minute after it, and starts the service on both markets. */
export async function serveClaimed(site: Awaited<ReturnType<typeof openClaimed>>): Promise<TestServer> {
  await site.take(11, fleetAt(11, true))
  await site.load()
  await site.databases.clock.hold(site.slotAt(11) + 60)
  return startServer({ databases: site.databases, markets: [site.market], seriesMaxAgeMs: 0 })
}
