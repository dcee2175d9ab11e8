import { setImmediate as breathe } from 'node:timers/promises'
import { day, hour } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import { askedPrice, type Moods, type SimulatedMachine, step } from './market.ts'
import { drawMarket, type Plan, type SimulatedPast } from './population.ts'
import { seededFor } from './random.ts'

const hoursToSettle = 100

/** The history of a market. It is simulated forward, and can be simulated again from any of its slots with the same result. */
export interface SimulatedHistory {
  /** The market at the current slot. `machines` is replaced whenever a machine comes or goes. */
  market: SimulatedPast
  /** Moves to a slot. Moving back drops the marks of later slots. */
  leadTo(slot: number, signal?: AbortSignal): Promise<void>
  /** Moves to the next slot. */
  next(): void
}

/** The changing part of the state, as JSON: it takes a tenth of the memory of copies. */
interface Mark {
  slot: number
  state: string
}

type State = Moods & { machines: Pick<SimulatedMachine, 'id' | 'online' | 'price' | 'rentals'>[] }

/** The market at the plan's anchor. */
export async function createMarket(plan: Plan): Promise<SimulatedPast> {
  const history = openHistory(plan)
  await history.leadTo(plan.anchor)
  return history.market
}

/** The history of a plan, from `anchor - past` on. */
export function openHistory(plan: Plan): SimulatedHistory {
  const { seed, anchor, interval } = plan
  const market = drawMarket(plan)
  const everyone = [...market.machines, ...market.departed]
  const turns = everyone.flatMap(({ came, left }) => [came, left]).sort((a, b) => a - b)
  const marks: Mark[] = []
  let slot = anchor - plan.past
  let nextTurn = Number.POSITIVE_INFINITY

  /** Adds new machines and removes departed ones. A machine is offered for a slot before it can be rented. */
  function attend(): void {
    const ago = anchor - slot
    if (ago >= nextTurn) return
    nextTurn = turns.findLast((turn) => turn <= ago) ?? 0
    market.machines = everyone.filter(({ came, left }) => left <= ago && ago < came)
    for (const machine of market.machines)
      if (machine.price === 0) machine.price = askedPrice(market, machine, seededFor(seed + slot, machine.id))
  }

  /** Simulates a hundred hours, until rentals and prices have settled. */
  async function settle(): Promise<void> {
    attend()
    for (let hours = hoursToSettle; hours > 0; hours -= 1) {
      step(market, seededFor(seed + 1, hours), hour, slot - hours * hour)
      await breathe()
    }
  }

  function mark(): void {
    const machines = market.machines.map(({ id, online, price, rentals }) => ({ id, online, price, rentals }))
    const state: State = { mood: market.mood, moods: market.moods, machines }
    marks.push({ slot, state: JSON.stringify(state) })
  }

  function restore(from: Mark): void {
    const { machines, ...moods } = JSON.parse(from.state) as State
    const states = new Map(machines.map((state) => [state.id, state]))
    for (const machine of everyone) {
      const state = states.get(machine.id) ?? { online: true, price: 0, rentals: [] }
      const held = state.rentals.reduce((sum, { gpus }) => sum + gpus.length, 0)
      Object.assign(machine, state, { free: machine.numGpus - held })
    }
    Object.assign(market, moods)
    slot = from.slot
    nextTurn = Number.POSITIVE_INFINITY
    attend()
  }

  function next(): void {
    slot += interval
    step(market, seededFor(seed + 2, slot), interval, slot)
    attend()
  }

  async function leadTo(target: number, signal?: AbortSignal): Promise<void> {
    while ((marks.at(-1)?.slot ?? 0) > target) marks.pop()
    const last = marks.at(-1)
    if (!last) {
      await settle()
      mark()
    } else if (slot > target) restore(last)
    while (slot < target) {
      next()
      // Marks are denser near the target, because the next walk begins there.
      const every = target - slot < day ? hour : day
      if (floorTo(every, slot) > floorTo(every, slot - interval)) mark()
      await breathe(undefined, { signal })
    }
  }

  return { market, leadTo, next }
}
