import { linearRegression, mean, sampleCorrelation } from 'simple-statistics'
import { describe, expect, it } from 'vitest'
import { rateOf } from '../../estimates/fill-rate.ts'
import { catalog } from '../../simulate/gpu-types.ts'
import { createMarket, openHistory } from '../../simulate/history.ts'
import {
  appealOf,
  demandAt,
  drawMoods,
  eagerness,
  positionsIn,
  type SimulatedMachine,
  type SimulatedMarket,
  step,
} from '../../simulate/market.ts'
import type { Plan } from '../../simulate/population.ts'
import { seeded } from '../../simulate/random.ts'
import { openTerms } from '../../simulate/terms.ts'
import { statesOf, watchRuns } from '../../simulate/unchanged-runs.ts'

const day = 86_400
const plan: Plan = { seed: 7, size: 1200, anchor: 1_795_000_500, past: 14 * day, interval: 900 }

function fail(): never {
  throw new Error('a position is missing')
}

const gpusOf = (machine: SimulatedMachine, rented: boolean) =>
  statesOf(machine)
    .filter((state) => state.rented === rented)
    .reduce((sum, { gpus }) => sum + gpus, 0)

function occupancy({ machines }: SimulatedMarket, verified: boolean): number {
  const chosen = machines.filter(({ verification }) => (verification === 'verified') === verified)
  const sum = (rented: boolean) => chosen.reduce((total, machine) => total + gpusOf(machine, rented), 0)
  return sum(true) / (sum(true) + sum(false))
}

/** Half a million machines are checked: an `expect` for each would take longer than generating them. */
function isSound(machine: SimulatedMachine): boolean {
  const held = machine.rentals.flatMap(({ gpus }) => gpus)
  return (
    new Set(held).size === held.length &&
    held.every((gpu) => gpu >= 0 && gpu < machine.numGpus) &&
    machine.free === machine.numGpus - held.length &&
    statesOf(machine).every(({ price, gpus }) => price > 0 && Number(price.toFixed(9)) === price && gpus > 0)
  )
}

/** The market at each slot of its history, in order, as JSON. */
async function historyOf(of: Plan): Promise<string[]> {
  const history = openHistory(of)
  const found: string[] = []
  for (let slot = of.anchor - of.past; slot <= of.anchor; slot += of.interval) {
    await history.leadTo(slot)
    found.push(JSON.stringify(contentOf(history.market)))
  }
  return found
}

const contentOf = ({ mood, moods, machines }: SimulatedMarket) => ({
  mood,
  moods,
  machines: machines.map(({ id, online, price, free, rentals }) => ({ id, online, price, free, rentals })),
})

describe('the simulated market', () => {
  it('is the same for the same seed, now and in its past, and another for another', async () => {
    const small = { ...plan, size: 100, past: 2 * day, interval: 3600 }
    const [first, again, other] = await Promise.all([small, small, { ...small, seed: 8 }].map(historyOf))
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it('is the same wherever its history is walked from', async () => {
    const small = { ...plan, size: 100, past: 4 * day, interval: 3600 }
    const expected = await historyOf(small)
    const history = openHistory(small)
    for (let slot = small.anchor; slot >= small.anchor - small.past; slot -= 5 * small.interval) {
      await history.leadTo(slot)
      const at = (slot - small.anchor + small.past) / small.interval
      expect(JSON.stringify(contentOf(history.market)), `slot ${at}`).toBe(expected[at])
    }
  })

  it('rents at what was asked in the slot before', async () => {
    const history = openHistory(plan)
    const begin = plan.anchor - plan.past
    await history.leadTo(begin)
    let begun = 0
    const wrong: unknown[] = []
    for (let slot = begin + plan.interval; slot <= begin + 3 * day; slot += plan.interval) {
      const asks = new Map(
        history.market.machines.map(({ id, price, free, online }) => [id, { price, free, online }]),
      )
      history.next()
      for (const { id, rentals } of history.market.machines)
        for (const { price, gpus, since } of rentals) {
          if (since !== slot) continue
          const ask = asks.get(id)
          begun += 1
          if (!ask?.online || ask.free < gpus.length || ask.price !== price)
            wrong.push({ id, slot, price, ask })
        }
    }
    expect(wrong).toEqual([])
    expect(begun).toBeGreaterThan(2000)
  })

  it('has every type, the default ones often', async () => {
    const { machines } = await createMarket({ ...plan, past: 0 })
    const count = (name: string) => machines.filter(({ type }) => type.name === name).length
    for (const { name } of catalog) expect(count(name), name).toBeGreaterThan(0)
    for (const name of ['RTX 5090', 'RTX 4090', 'RTX 3090']) expect(count(name)).toBeGreaterThan(50)
    expect(machines.length).toBeGreaterThan(plan.size * 0.97)
    expect(machines.length).toBeLessThan(plan.size * 1.03)
  })

  it('stays sound and plausible all the way', async () => {
    const history = openHistory(plan)
    const { market } = history
    const occupancies: { verified: number; other: number }[] = []
    const seen = new Set<number>()
    for (let slot = plan.anchor - plan.past; slot <= plan.anchor; slot += 10_800) {
      await history.leadTo(slot)
      expect(market.machines.filter((machine) => !isSound(machine))).toEqual([])
      for (const { id } of market.machines) seen.add(id)
      occupancies.push({ verified: occupancy(market, true), other: occupancy(market, false) })
    }
    const verified = occupancies.map((each) => each.verified)
    expect(Math.min(...verified)).toBeGreaterThan(0.5)
    expect(Math.max(...verified)).toBeLessThan(0.85)
    expect(mean(verified)).toBeGreaterThan(mean(occupancies.map((each) => each.other)))
    // A machine stays 150 days, so in two weeks a tenth of them are replaced.
    expect(seen.size).toBeGreaterThan(market.machines.length * 1.03)
    expect(market.machines.length).toBeGreaterThan(plan.size * 0.9)
    expect(market.machines.length).toBeLessThan(plan.size * 1.1)
  })

  it('moves the prices of all types together, and of each by itself', () => {
    const random = seeded(3)
    const market: SimulatedMarket = { ...drawMoods(random), machines: [] }
    const hours = Array.from({ length: 24 * 400 }, (_, hour) => {
      step(market, random, 3600, hour * 3600)
      return ['RTX 4090', 'H100 SXM'].map((name) => market.mood + (market.moods[name] ?? 0))
    })
    const of = (index: number) => hours.map((moods) => moods[index] ?? 0)
    const together = sampleCorrelation(of(0), of(1))
    expect(together).toBeGreaterThan(0.1)
    expect(together).toBeLessThan(0.9)
  })

  it('rents by price position at its configured rate', async () => {
    const market = await createMarket({ ...plan, size: 1500, past: 0 })
    const random = seeded(11)
    const found = Array.from({ length: 10 }, () => ({ rentals: 0, hours: 0, expected: 0, shares: 0 }))
    for (let slot = 0; slot < 10 * 96; slot += 1) {
      const at = plan.anchor + slot * 900
      const positionIn = positionsIn(market)
      // One GPU each, so that a rental is one GPU; verified, so that the rate is the same for all.
      const free = market.machines.filter(
        (one) => one.numGpus === 1 && one.verification === 'verified' && one.online && one.free === 1,
      )
      const before = free.map((machine) => {
        const share = positionIn(machine)
        return { machine, share, row: found[Math.min(9, Math.floor(10 * share))] ?? fail() }
      })
      step(market, random, 900, at)
      for (const { machine, share, row } of before) {
        row.hours += 0.25
        row.shares += 0.25 * share
        row.expected += (0.25 / 24) * demandAt(at) * appealOf(machine, share)
        row.rentals += machine.free === 0 ? 1 : 0
      }
    }
    const points = found.map(({ rentals, hours, expected, shares }, position) => {
      const rate = rateOf({ events: rentals, hours }) ?? fail()
      const truth = expected / hours
      return {
        position,
        share: shares / hours,
        ...rate,
        truth,
        inside: rate.low <= truth && truth <= rate.high,
      }
    })
    const { m: slope } = linearRegression(points.map(({ share, value }) => [share, Math.log(value)]))
    console.table(points)
    console.log(`slope of ln(fill rate) by position: ${slope.toFixed(2)}, truth ${eagerness.perPosition}`)
    expect(points.filter(({ inside }) => inside).length).toBeGreaterThanOrEqual(8)
    expect(Math.abs(slope - eagerness.perPosition)).toBeLessThan(0.25)
  })

  it('writes runs that stand for exactly what each slot sees', async () => {
    const small = { ...plan, size: 200, interval: 300 }
    const { market, leadTo, next } = openHistory(small)
    await leadTo(small.anchor - small.past)
    const terms = openTerms(small.seed)
    const runs = watchRuns(300, (id) => ({ hostId: id % 10, country: 'SE', minGpus: 1 }), terms)
    const expected = new Map<string, number>()
    for (let slot = small.anchor - small.past; slot < small.anchor - small.past + 100 * 300; slot += 300) {
      if (slot > small.anchor - small.past) next()
      runs.see(market, slot)
      for (const machine of market.machines)
        for (const { rented, price, type, gpus } of statesOf(machine))
          expected.set(
            `${slot} ${machine.id} ${rented} ${price} ${type} ${terms.textAt(machine, slot)}`,
            gpus,
          )
    }
    const { lines, observations } = runs.take()
    const found = new Map<string, number>()
    const counted = new Map<string, number>()
    for (const line of lines) {
      const [since, until, id, , , gpus, machines, rented, , , price, , , , host, , , type, , text] =
        JSON.parse(line)
      expect(host).toBe(id % 10)
      for (let slot = since; slot < until; slot += 300) {
        found.set(`${slot} ${id} ${rented} ${price} ${type} ${text}`, gpus)
        counted.set(`${slot} ${id}`, (counted.get(`${slot} ${id}`) ?? 0) + machines)
      }
    }
    expect(found).toEqual(expected)
    expect(observations).toBe(expected.size)
    expect(lines.length).toBeLessThan(observations / 10)
    for (const machines of counted.values()) expect(machines).toBe(1)
    expect(runs.take()).toEqual({ lines: [], observations: 0 })
  })
})
