import { setImmediate as breathe } from 'node:timers/promises'
import type { ClickHouse } from '../../src/platform/clickhouse.ts'
import { floorTo } from '../../src/platform/ladder.ts'
import type { Postgres } from '../../src/platform/postgres.ts'
import { backfill } from '../backfill.ts'
import { insertObservations } from '../observations.ts'
import { createMarket, type Machine, type Market, statesOf, step } from './market.ts'
import { seeded } from './random.ts'

export interface Simulation {
  seed: number
  size: number
  interval: number
  anchor_slot: number
  filled_from: number
  fill_until: number
}

/** Share of the history that is there, 0 … 1. */
export type Progress = (share: number) => void

// What is inserted at once is fixed by the clock and not by where a walk began: the same walk again inserts the same bytes
// under the same token, so a batch that was cut short is completed and not doubled.
const window = 3 * 3600
const windowsPerBatch = 4

/**
 * Fills the simulated market's past, newest first, walking backward from the market that was seeded. Can be stopped or killed at
 * any point: the next call walks the same way again up to where the history reaches, and goes on from there.
 */
export async function fillHistory(
  postgres: Postgres,
  clickhouse: ClickHouse,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await postgres.query<Simulation>('SELECT * FROM simulation')
  const [simulation] = rows
  if (!simulation) return
  const { seed, size, interval, anchor_slot, fill_until } = simulation
  const market = createMarket(seeded(seed), size)
  const random = seeded(seed + 1)
  const lines = new Lines()

  let slot = anchor_slot
  const back = () => {
    slot -= interval
    step(market, random, interval)
  }
  while (slot > simulation.filled_from) {
    back()
    await breathe()
  }
  // The first batch is short, so that there is something to look at.
  for (let windows = 1; slot > fill_until && !signal.aborted; windows = windowsPerBatch) {
    const to = slot
    const from = Math.max(fill_until, floorTo(window, slot - 1) - (windows - 1) * window)
    await backfill(postgres, clickhouse, { from, to }, async () => {
      while (slot > from) {
        const start = Math.max(from, floorTo(window, slot - 1))
        const chunk: string[] = []
        while (slot > start) {
          back()
          chunk.push(lines.ofSlot(market, slot))
          await breathe()
        }
        await insertObservations(clickhouse, chunk.join('\n'), `simulated:${seed}:${anchor_slot}:${start}`)
      }
    })
    await postgres.query('UPDATE simulation SET filled_from = $1', [from])
    onProgress((anchor_slot - from) / (anchor_slot - fill_until))
  }
}

/** The lines of a slot. A machine's part is made again only when the machine has changed, which it seldom does. */
class Lines {
  readonly #made = new Map<number, { key: string; tails: string[] }>()

  ofSlot(market: Market, slot: number): string {
    const head = `[${slot},`
    const lines: string[] = []
    for (const machine of market.machines) for (const tail of this.#tailsOf(machine)) lines.push(head + tail)
    return lines.join('\n')
  }

  #tailsOf(machine: Machine): string[] {
    const key = `${machine.online} ${machine.price} ${machine.rentals.map(({ price, gpus }) => `${price}x${gpus.length}`)}`
    const known = this.#made.get(machine.id)
    if (known?.key === key) return known.tails
    const tails = statesOf(machine).map((state, index) => tailOf(machine, state, index === 0))
    this.#made.set(machine.id, { key, tails })
    return tails
  }
}

// The columns behind the slot, in the order of sql/clickhouse/queries/insert_observations.sql.
const tailOf = (
  machine: Machine,
  state: { rented: boolean; price: number; gpus: number },
  counts: boolean,
): string =>
  JSON.stringify([
    machine.id,
    machine.type.name,
    machine.numGpus,
    state.gpus,
    counts ? 1 : 0,
    state.rented,
    machine.verified,
    machine.secure ? 'secure_cloud' : 'community',
    state.price,
    machine.type.tflops,
    machine.type.dlperf,
    'simulated',
  ]).slice(1)
