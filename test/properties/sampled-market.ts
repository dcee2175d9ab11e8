import { expect } from 'vitest'
import type { Coverage } from '../../collect/coverage.ts'
import { openSource } from '../../collect/open-source.ts'
import type { PictureStore, StoredPicture } from '../../collect/source.ts'
import type { SampledMarket } from '../sampled-market.ts'

export const sampledInterval = 300

/** A source of the sampled market. Its pauses advance the market's clock. */
export const sourceOfSampled = (market: SampledMarket) =>
  openSource(`vast=${market.url}`, {
    async pause(ms) {
      market.time += ms / 1000
    },
    now: () => market.time * 1000,
  })

export interface MachineState {
  gpus: number
  rented: number
}

/** A slot compared with the true market. */
export interface SweptSlot {
  machines: number
  listed: number
  rented: number
  trulyRented: number
  /** Share of the listed machines that the slot has. */
  found: number
  /** Machines of the slot before that are listed, and that the slot does not have. */
  falseLeavings: number
  searches: number
  /** Own machines that the slot has seen itself. */
  ownSeen: number
  coverage: Coverage
}

interface SlotToCompare {
  /** The machines of the slot before. */
  before: ReadonlyMap<number, MachineState>
  seen: ReadonlyMap<number, MachineState>
  truth: ReadonlyMap<number, MachineState>
}

/** The counts of a swept slot beside the true market. */
export const compareSlot = ({ before, seen, truth }: SlotToCompare) => ({
  machines: seen.size,
  listed: truth.size,
  rented: rentedOf(seen),
  trulyRented: rentedOf(truth),
  found: [...truth.keys()].filter((id) => seen.has(id)).length / truth.size,
  falseLeavings: [...before.keys()].filter((id) => !seen.has(id) && truth.has(id)).length,
})

/** Takes slots of a market that moves in between. `own`: own machines. */
export function openSweep(market: SampledMarket, own: readonly number[] = []) {
  const source = sourceOfSampled(market)
  let stored: StoredPicture | undefined
  const pictures: PictureStore = {
    async read() {
      return stored
    },
    async write(picture) {
      stored = picture
    },
  }
  let before = new Map<number, MachineState>()
  let slot = market.time
  return {
    async take(): Promise<SweptSlot> {
      market.time = slot
      const searches = market.searches
      const answer = await source.fetchMarket({
        slot,
        interval: sampledInterval,
        clock: { now: () => market.time },
        validators: undefined,
        signal: new AbortController().signal,
        pictures,
        own: { hosts: [], machines: own },
      })
      if (answer.unchanged || !answer.coverage) throw new Error('The source knows no coverage.')
      const seen = machinesOf(answer.market.lines)
      const taken = {
        ...compareSlot({ before, seen, truth: market.truth() }),
        searches: market.searches - searches,
        ownSeen: own.filter((id) => stored?.machines.get(`${id}`)?.seen === slot).length,
        coverage: answer.coverage,
      }
      before = seen
      slot += sampledInterval
      market.step()
      return taken
    },
  }
}

export async function sweepSlots(market: SampledMarket, count: number): Promise<SweptSlot[]> {
  const sweep = openSweep(market)
  const slots: SweptSlot[] = []
  while (slots.length < count) slots.push(await sweep.take())
  return slots
}

/**
 * Checks counts within 2 % where the first sweep has ended and coverage is 95 % or more, no false leaving, and no more searches than 8 a minute. `mostRented`:
 * the largest error of rented GPUs. They change while the market is swept, which counts in a small market.
 */
export function expectTrueCounts(slots: readonly SweptSlot[], mostRented = 0.02): void {
  const covered = slots.filter(({ coverage }) => coverage.age !== null && coverage.share >= 0.95)
  expect(covered.length).toBeGreaterThan(slots.length / 3)
  for (const { machines, listed, rented, trulyRented } of covered) {
    expect(Math.abs(machines / listed - 1)).toBeLessThanOrEqual(0.02)
    expect(Math.abs(rented / trulyRented - 1)).toBeLessThanOrEqual(mostRented)
  }
  expect(slots.reduce((sum, { falseLeavings }) => sum + falseLeavings, 0)).toBe(0)
  expect(Math.max(...slots.map(({ searches }) => searches))).toBeLessThanOrEqual((8 * sampledInterval) / 60)
}

const rentedOf = (machines: ReadonlyMap<number, MachineState>) =>
  [...machines.values()].reduce((sum, { rented }) => sum + rented, 0)

export function machinesOf(lines: readonly string[]): Map<number, MachineState> {
  const machines = new Map<number, MachineState>()
  for (const line of lines) {
    const [, id, , , gpus, , isRented] = JSON.parse(line)
    const machine = machines.get(id) ?? { gpus: 0, rented: 0 }
    machine.gpus += gpus
    if (isRented) machine.rented += gpus
    machines.set(id, machine)
  }
  return machines
}
