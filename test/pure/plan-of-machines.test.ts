import { expect, it } from 'vitest'
import { inOneGo } from '../../estimates/pooled/steps.ts'
import { type AdviceMemory, type PlannedMachine, planOf } from '../../src/hosts/machines/pooled/plan.ts'
import type { GivenAdvice } from '../../src/hosts/machines/price-advice.ts'
import { classed, manyMachines, openMarket } from '../pooled-market.ts'

const market = manyMachines(40, (index) => ({
  gpu_name: 'RTX 4090',
  num_gpus: 1,
  price: 1 + index / 40,
  rented: Number(index < 25),
}))
const fitOf = openMarket(market)
const byId = new Map(market.map((machine) => [machine.id, machine]))

const own = (change: (id: number) => Partial<PlannedMachine> = () => ({})): PlannedMachine[] =>
  market.map(({ id, gpu_name, num_gpus, price }) => ({
    ...classed,
    id,
    gpu_name,
    num_gpus,
    price,
    online: true,
    host_share: null,
    margin: null,
    ...change(id),
  }))

function planWith(
  machines: readonly PlannedMachine[],
  { known = new Map<string, GivenAdvice>(), isAlone = false } = {},
) {
  const missed: string[] = []
  const advised: AdviceMemory = {
    get(key) {
      if (!known.has(key)) missed.push(key)
      return known.get(key)
    },
    set: (key, advice) => known.set(key, advice),
  }
  const find = ({ id }: { id: number }) => {
    const machine = byId.get(id)
    return machine ? fitOf(machine) : null
  }
  return { plan: inOneGo(planOf(machines, { fitOf: find, market: 1, advised, isAlone })), known, missed }
}

it('a plan from memory equals the plan that is computed', () => {
  const { plan, known, missed } = planWith(own())
  expect(missed.length).toBe(40)
  const again = planWith(own(), { known })
  expect(again.missed).toEqual([])
  expect(again.plan).toEqual(plan)
  expect(new Set(Array.from(plan.advice.values(), ({ verdict }) => verdict)).size).toBeGreaterThan(1)
})

it('a changed price computes the advice on its machine only, as if nothing was known', () => {
  const { known } = planWith(own())
  const changed = own((id) => (id === 20 ? { price: 1.31 } : {}))
  const fromMemory = planWith(changed, { known })
  expect(fromMemory.missed.length).toBe(1)
  expect(fromMemory.plan).toEqual(planWith(changed).plan)
})

it('advice on each alone is the same in every page, and a plan changes held machines only', () => {
  const { plan } = planWith(own())
  const alone = planWith(own(), { isAlone: true }).plan.advice
  expect(plan.held.size).toBeGreaterThan(0)
  for (const machine of own()) {
    const its = planWith([machine], { isAlone: true }).plan.advice.get(machine.id)
    expect(its).toBeDefined()
    expect(alone.get(machine.id)).toEqual(its)
    const planned = plan.advice.get(machine.id)
    if (!plan.held.has(machine.id)) expect(planned).toEqual(its)
    else {
      expect(planned?.verdict).toBe('keep')
      expect(planned?.evidence).toBe(planned?.reason)
    }
  }
})
