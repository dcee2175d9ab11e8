import { expect, it } from 'vitest'
import { noCosts } from '../../contract/cost-fields.ts'
import { groupBy } from '../../platform/group-by.ts'
import { type AdviseFleet, openFleetAdvice } from '../../src/hosts/machines/fleet-advice.ts'
import type { ListedMachine, OwnMachines } from '../../src/hosts/machines/own-machines.ts'
import type { Fits } from '../../src/hosts/machines/pooled/known-market.ts'
import { ranks } from '../../src/hosts/machines/pooled/planner.ts'
import { classed, fittedMarket, manyMachines } from '../pooled-market.ts'

const names = ['RTX 4090', 'RTX 3090', 'H100 SXM']
const market = manyMachines(150)
const { fit, products } = fittedMarket(market)

const listed = market.map(
  ({ id, gpu_name, num_gpus, price }): ListedMachine => ({
    ...classed,
    id,
    gpu_name,
    num_gpus,
    price,
    renter_price: price,
    host_share: null,
    online: true,
    rented_gpus: 0,
    rented_price: null,
  }),
)
const ofName = groupBy(listed, ({ gpu_name }) => gpu_name)

const fits: Fits = async () => (machine) => {
  const product = products.find(({ gpu_name }) => gpu_name === machine.gpu_name)
  return product ? { market: fit, product, open: () => null } : null
}

const ownOf = (machines: ListedMachine[]): OwnMachines => ({
  page: async () => ({ source: undefined, machines }),
  pages: () => {
    throw new Error('not asked')
  },
  ids: () => {
    throw new Error('not asked')
  },
})

const at = {
  state: { revision: 1, has_rentals: true },
  slots: new Uint32Array(),
} as unknown as Parameters<AdviseFleet>[1]['market']
const asked = { account: 1, recorded: at, market: at, costs: { account: noCosts, machines: [] } }

it('a fleet answers with the machines that are planned in time, and with all of them later', async () => {
  const adviseFleet = openFleetAdvice(fits, ownOf(listed))
  const first = await adviseFleet(listed, { ...asked, rank: ranks.fleet, patience: 0 })
  expect(first.advice.size).toBeLessThan(listed.length)
  const all = await adviseFleet(listed, { ...asked, rank: ranks.fleet })
  expect(new Set(all.advice.keys())).toEqual(new Set(listed.map(({ id }) => id)))
  expect(all.plans.length).toBe(names.length)
})

it('a page has advice on each machine alone until its fleet is planned', async () => {
  const [own = []] = [...ofName.values()]
  const large = Array.from({ length: 5 }, (_, copy) =>
    own.map((machine) => ({ ...machine, id: machine.id + 1000 * copy })),
  ).flat()
  const adviseFleet = openFleetAdvice(fits, ownOf(large))
  const page = large.slice(0, 20)
  const before = await adviseFleet(page, asked)
  for (const machine of page.slice(0, 5)) {
    const alone = await openFleetAdvice(fits, ownOf([machine]))([machine], asked)
    expect(before.advice.get(machine.id)).toEqual(alone.advice.get(machine.id))
  }
  const planned = await adviseFleet(large, asked)
  const after = await adviseFleet(page, asked)
  for (const { id } of page) expect(after.advice.get(id)).toEqual(planned.advice.get(id))
})

it('a page does not wait for the same plan of the advice of the day', async () => {
  const done: string[] = []
  const daily = [...ofName].map(async ([name, machines]) => {
    const changed = machines.map((machine) => ({ ...machine, price: (machine.price ?? 1) + 0.001 }))
    await openFleetAdvice(fits, ownOf(changed))(changed, { ...asked, rank: ranks.daily })
    done.push(`daily ${name}`)
  })
  const last = ofName.get(names[2] ?? '')?.map((one) => ({ ...one, price: (one.price ?? 1) + 0.001 })) ?? []
  await openFleetAdvice(fits, ownOf(last))(last, asked)
  done.push('page')
  await Promise.all(daily)
  expect(done.length).toBe(4)
  expect(done[0]).toBe('page')
})
