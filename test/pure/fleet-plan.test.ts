import { readFileSync } from 'node:fs'
import { mean } from 'simple-statistics'
import { describe, expect, it } from 'vitest'
import { fleetWords } from '../../estimates/fleet-words.ts'
import { adviseOnPrice } from '../../estimates/pooled/advise.ts'
import { type FleetMachine, fleetGain, planFleet } from '../../estimates/pooled/fleet.ts'
import { inOneGo } from '../../estimates/pooled/steps.ts'
import { type Machine, manyMachines, openMarket } from '../pooled-market.ts'

/** Machines of one GPU type: of others at prices from 1.00 to 1.79, and of a fleet. */
const market = (own: readonly Machine[]) => [
  ...manyMachines(80, (index) => ({
    gpu_name: 'RTX 4090',
    num_gpus: 1,
    price: 1 + index / 100,
    rented: Number(index < 55),
  })),
  ...own,
]

const ownAt = (...prices: number[]): Machine[] =>
  prices.map((price, index) => ({ id: 1001 + index, gpu_name: 'RTX 4090', num_gpus: 1, price, rented: 0 }))

/** The advice on each machine of a fleet alone. */
function adviseEach(own: readonly Machine[]): FleetMachine[] {
  const fitOf = openMarket(market(own))
  return own.map((machine) => {
    const fit = fitOf(machine)
    return { ...machine, fit, margin: null, advice: adviseOnPrice(machine, fit, null) }
  })
}

/** The machine with another decision. */
function moved(machine: FleetMachine, price: number, gain = 0.1): FleetMachine {
  const { decision, draws } = machine.advice
  const income = draws?.income ?? new Float64Array(400)
  return {
    ...machine,
    advice: {
      ...machine.advice,
      draws: { income, gains: income.map(() => gain) },
      decision: {
        ...decision,
        verdict: price > machine.price ? 'raise' : 'lower',
        price,
        gain_per_day: { value: gain, low: gain, high: gain },
      },
    },
  }
}

describe('the plan of a fleet', () => {
  it('gains of one machine what the machine gains alone', () => {
    const [machine] = adviseEach(ownAt(1.01))
    if (!machine) throw new Error('no machine')
    const { gains, effect, held } = inOneGo(planFleet([moved(machine, 1.1)]))
    expect(gains).toEqual(new Float64Array(400).fill(0.1))
    expect([effect, held.size]).toEqual([0, 0])
  })

  it('gains nothing at its other machines where no price passes another own one', () => {
    const [low, high] = adviseEach(ownAt(1.01, 1.5))
    if (!low || !high) throw new Error('no machines')
    const { gains, effect } = inOneGo(planFleet([moved(low, 1.1), moved(high, 1.6)]))
    expect(effect).toBe(0)
    expect(mean([...(gains ?? [])])).toBeCloseTo(0.2, 9)
  })

  it('gains more where a raise passes another own machine, which gets its renters', () => {
    const [low, high] = adviseEach(ownAt(1.3, 1.31))
    if (!low || !high) throw new Error('no machines')
    const { gains, effect } = inOneGo(planFleet([moved(low, 1.5), high]))
    expect(effect).toBeGreaterThan(0)
    expect(mean([...(gains ?? [])])).toBeCloseTo(0.1 + effect, 9)
  })

  it('keeps a price whose lowering would cost the other own machines more than it gains', () => {
    const fleet = adviseEach(ownAt(1.36, 1.3, 1.31, 1.32, 1.33, 1.34, 1.35))
    const [dearest, ...others] = fleet
    if (!dearest) throw new Error('no machines')
    const plan = inOneGo(planFleet([moved(dearest, 1.29, 0.001), ...others]))
    expect([...plan.held]).toEqual([dearest.id])
    expect(plan).toMatchObject({ gains: null, effect: 0 })
    // Alone it is lowered.
    expect(inOneGo(planFleet([moved(dearest, 1.29, 0.001)])).held.size).toBe(0)
  })

  it('takes a number of steps that grows with the machines, even if all of them are lowered', () => {
    const fleet = adviseEach(ownAt(...Array.from({ length: 60 }, (_, index) => 1 + index / 100)))
    const steps = planFleet(fleet.map((machine) => moved(machine, machine.price * 0.9)))
    let count = 0
    while (!steps.next().done) count += 1
    // Each machine in its group and in the sum, and for each of 8 groups a sample of 24 others.
    expect(count).toBeLessThanOrEqual(2 * fleet.length + 8 * 24)
  })

  it('has a sum whose interval is narrower than the sum of intervals', () => {
    const fleet = adviseEach(ownAt(1, 1.005, 1.01, 1.015, 1.02))
    const changed = fleet.filter(({ advice }) => advice.draws?.gains)
    expect(changed.length).toBeGreaterThan(2)
    const { gains } = inOneGo(planFleet(changed))
    if (!gains) throw new Error('no gains')
    const { value, low, high } = fleetGain(gains, 1.1)
    const sums = changed.map(({ advice }) => advice.decision.gain_per_day ?? { value: 0, low: 0, high: 0 })
    const widths = sums.reduce((sum, gain) => sum + gain.high - gain.low, 0)
    expect(high - low).toBeLessThan(widths)
    expect(low).toBeLessThan(value)
  })
})

it('the example of docs/numbers.md is the interval of a sum of two independent gains', () => {
  const half = Math.SQRT2 * 1
  expect(readFileSync('docs/numbers.md', 'utf8')).toContain(
    `so from ${(4 - half).toFixed(2)} to ${(4 + half).toFixed(2)}.`,
  )
})

it('words of a fleet have the sum, its interval and the effect of own machines on each other', () => {
  const gain = { value: 3.14, low: 1, high: 5.5 }
  const sums = { changes: 4, gain, effect: 0, held: 0, pending: 0, basis: 'gross' } as const
  expect(fleetWords(sums)).toBe(
    '4 prices to change: about $3.14 a day more ($1.00 to $5.50). Your machines take no renters from each other at these prices.',
  )
  expect(fleetWords({ ...sums, effect: 0.5, held: 1 })).toContain(
    '$0.50 of it come from renters who choose another machine of yours instead. 1 machine keeps its price',
  )
  expect(fleetWords({ ...sums, effect: -0.5, held: 2 })).toContain('It is $0.50 less than the sum')
  expect(fleetWords({ ...sums, changes: 0, gain: null })).toBe('No price to change.')
})
