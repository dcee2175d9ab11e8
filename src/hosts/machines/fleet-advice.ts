import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { mostTogether } from '../../../contract/fleet-advice.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { exactly } from '../../../contract/money.ts'
import { type Margin, marginOf } from '../../../estimates/costs.ts'
import { heldWords } from '../../../estimates/fleet-words.ts'
import type { KnownProduct, MachineFit } from '../../../estimates/pooled/advise.ts'
import { type FleetMachine, type FleetPlan, planFleet } from '../../../estimates/pooled/fleet.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { evictOldVersions } from '../../market/market-query/evict-old-versions.ts'
import { costsOfMachine, type StoredCosts } from '../costs/stored.ts'
import type { ComparedAt } from './comparables.ts'
import type { ListedMachine, OwnMachines } from './own-machines.ts'
import type { Fits } from './pooled/known-market.ts'
import { inHostPrices, obstacleOf, priceAdvice, unknownAdvice } from './price-advice.ts'

type Advice = OwnFigures['advice']

/** The plan of an account's machines of one product. */
export interface ProductPlan extends FleetPlan {
  product: KnownProduct
  machines: readonly ListedMachine[]
  advice: ReadonlyMap<number, Advice>
}

/** The advice on all machines of some GPU types, and the plans that it comes from. */
export interface AdvisedFleet {
  advice: ReadonlyMap<number, Advice>
  plans: readonly ProductPlan[]
}

interface FleetQuery {
  account: number
  /** The series with all slots, for the machines themselves. */
  recorded: ComparedAt
  /** The series as readers may see it. */
  market: ComparedAt
  costs: StoredCosts
  /** Milliseconds after which the advice that is ready is returned. The rest is computed all the same, for a later request. */
  patience?: number
}

/** With more other machines of the same GPU types, a page of machines is planned by itself, so that its first rows do not wait. */
const mostOthers = 100

/** Machines that are looked up before other requests have their turn. */
const machinesATurn = 100

/** Advises on the prices of some machines of an account, together with its other machines of the same GPU types. */
export type AdviseFleet = (machines: readonly ListedMachine[], asked: FleetQuery) => Promise<AdvisedFleet>

export function openFleetAdvice(fits: Fits, own: OwnMachines): AdviseFleet {
  const fleets = openReadCache<string, ListedMachine[], number>({
    max: 1000,
    maxSize: 50_000, // Machines.
    sizeCalculation: ({ length }) => length + 1,
    fetchMethod: async (_key, _stale, { context: account }) =>
      (await own.page(account, { limit: mostTogether, after: 0, id: 0 })).machines,
  })
  const keepOnly = evictOldVersions(fleets)
  const advise = async (
    machines: readonly ListedMachine[],
    { account, recorded, market, costs }: FleetQuery,
    { advice, plans }: { advice: Map<number, Advice>; plans: ProductPlan[] },
  ): Promise<void> => {
    const names = [...new Set(machines.map(({ gpu_name }) => gpu_name))]
    const { revision } = recorded.state
    keepOnly(`${revision}`)
    const [fitOf, fleet] = await Promise.all([
      fits(names, market),
      fleets.forceFetch(`${revision} ${account}`, { context: account }),
    ])
    const given = new Set(machines.map(({ id }) => id))
    const others = fleet.filter(({ id, gpu_name }) => !given.has(id) && names.includes(gpu_name))
    const together = others.length > mostOthers ? machines : [...machines, ...others]
    const estimated: EstimatedMachine[] = []
    const noFit = market.state.has_rentals ? 'no_market' : 'no_rentals_known'
    for (const [index, machine] of together.entries()) {
      if (index % machinesATurn === 0) await turn()
      const margin = marginOf(costsOfMachine(costs, machine), machine.num_gpus)
      const fit = fitOf(machine) ?? noFit
      const obstacle = obstacleOf(machine, fit)
      if (obstacle !== null || typeof fit === 'string')
        advice.set(machine.id, unknownAdvice(obstacle ?? noFit, machine, margin))
      else estimated.push({ machine, fit, margin })
    }
    // The first answer has the most GPU types if the largest fleet is planned last.
    const products = [...groupBy(estimated, ({ fit }) => fit.product)].sort(
      ([, one], [, other]) => one.length - other.length,
    )
    for (const [product, known] of products) {
      const plan = await planned(product, known)
      plans.push(plan)
      for (const [id, its] of plan.advice) advice.set(id, its)
    }
  }
  return async (machines, query) => {
    const made = { advice: new Map<number, Advice>(), plans: [] }
    const all = advise(machines, query, made)
    await (query.patience === undefined ? all : Promise.race([all, wait(query.patience)]))
    return { advice: new Map(made.advice), plans: [...made.plans] }
  }
}

/** A machine whose rates are estimated. */
interface EstimatedMachine {
  machine: ListedMachine
  fit: MachineFit
  margin: Margin | null
}

/** Plans for the products of a fit: advice takes milliseconds to compute, and is asked for at each slot. */
const kept = new WeakMap<KnownProduct, LRUCache<string, Promise<ProductPlan>>>()

function planned(product: KnownProduct, known: EstimatedMachine[]): Promise<ProductPlan> {
  const ofProduct = kept.get(product) ?? new LRUCache({ max: 1000 })
  kept.set(product, ofProduct)
  known.sort((one, other) => one.machine.id - other.machine.id)
  const key = JSON.stringify(
    known.map(({ machine: { id, price, host_share }, margin, fit: { rig } }) => [
      id,
      price,
      host_share,
      margin,
      rig,
    ]),
  )
  const plan = ofProduct.get(key) ?? planOf(product, known)
  ofProduct.set(key, plan)
  return plan
}

/** Advises on each machine, and then on all of them together. Between two machines other requests have their turn. */
async function planOf(product: KnownProduct, known: readonly EstimatedMachine[]): Promise<ProductPlan> {
  const advice = new Map<number, Advice>()
  const listed: FleetMachine[] = []
  for (const { machine, fit, margin } of known) {
    await turn()
    const { id, price, host_share } = machine
    const inHost = inHostPrices(fit, host_share)
    const its = priceAdvice(machine, inHost, margin)
    advice.set(id, its.answer)
    if (price !== null) listed.push({ id, price, fit: inHost, margin, advice: its.advice })
  }
  const steps = planFleet(listed)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await turn()
  for (const { id, price } of listed) {
    const alone = advice.get(id)
    if (alone && step.value.held.has(id)) advice.set(id, heldAdvice(alone, price))
  }
  return { product, machines: known.map(({ machine }) => machine), advice, ...step.value }
}

const priceOf = exactly(4)

function heldAdvice(alone: Advice, price: number): Advice {
  const nothing = { value: 0, low: 0, high: 0 }
  return {
    ...alone,
    verdict: 'keep',
    price,
    end_price: price,
    gain_per_day: nothing,
    chance: null,
    wait: alone.wait_now,
    trial: null,
    reason: heldWords(priceOf(alone.price ?? price), alone.gain_per_day),
  }
}
