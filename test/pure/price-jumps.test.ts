import { beforeAll, describe, expect, it } from 'vitest'
import { openHistory } from '../../simulate/history.ts'
import type { SimulatedMachine } from '../../simulate/market.ts'
import { priceJumps } from '../oracle/events.ts'
import { nearestRank } from '../oracle/history.ts'

const [hour, day] = [3600, 86_400]
const anchor = 1_795_046_400
const days = 62

type Medians = Map<string, Map<number, number | null>>

/** The available median of each GPU type in each hour of a simulated market. */
async function mediansOf(seed: number): Promise<Medians> {
  const history = openHistory({ seed, size: 1000, anchor, past: days * day, interval: hour })
  const medians: Medians = new Map()
  await history.leadTo(anchor - days * day)
  for (let slot = anchor - days * day; slot < anchor; slot += hour) {
    const asks = new Map<string, SimulatedMachine[]>()
    for (const machine of history.market.machines.filter(({ online }) => online))
      asks.set(machine.type.name, [...(asks.get(machine.type.name) ?? []), machine])
    for (const [name, machines] of asks) {
      const median = nearestRank(
        machines.map(({ price, free }) => ({ value: price, weight: free })),
        5,
      )
      medians.set(name, (medians.get(name) ?? new Map()).set(slot, median))
    }
    history.next()
  }
  return medians
}

/** The jumps of the last 30 days, in prices that are multiplied by a factor from a time on. */
const jumpsIn = (medians: Map<number, number | null>, [from, factor] = [anchor, 1]) => {
  const at = (slot: number) => {
    const price = medians.get(slot) ?? null
    return price === null || slot < from ? price : price * factor
  }
  const jumps = priceJumps({ slots: [...medians.keys()], atSlot: at, inHour: at }, hour)
  return jumps.filter((jump) => jump.at >= anchor - 30 * day)
}

describe('price jumps of a simulated market', () => {
  let medians: Medians
  beforeAll(async () => {
    medians = await mediansOf(7)
  })

  it('are at most one of a GPU type in 30 days without a planted jump, and few of all', () => {
    const found = [...medians.values()].map((one) => jumpsIn(one).length)
    expect(found.length).toBeGreaterThan(30)
    expect(Math.max(...found)).toBeLessThanOrEqual(1)
    expect(found.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(found.length / 4)
  })

  it('are found where all prices of a GPU type double or halve', () => {
    for (const factor of [2, 0.5])
      for (const name of ['RTX 4090', 'RTX 3090']) {
        const from = anchor - 10 * day
        const jumps = jumpsIn(medians.get(name) ?? new Map(), [from, factor])
        expect([name, factor, jumps.map(({ at }) => at)]).toEqual([name, factor, [from + hour]])
      }
  })
})
