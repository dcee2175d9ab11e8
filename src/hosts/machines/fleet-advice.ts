import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { mostTogether } from '../../../contract/fleet-advice.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { marginOf } from '../../../estimates/costs.ts'
import type { FittedProduct } from '../../../estimates/pooled/market.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { evictOldVersions } from '../../market/market-query/evict-old-versions.ts'
import { costsOfMachine, type StoredCosts } from '../costs/stored.ts'
import type { ComparedAt } from './comparables.ts'
import type { ListedMachine, OwnMachines } from './own-machines.ts'
import type { Fits, FoundProduct } from './pooled/known-market.ts'
import type { Plan, PlannedMachine } from './pooled/plan.ts'
import { planInThread, ranks } from './pooled/planner.ts'
import { obstacleOf, unknownAdvice } from './price-advice.ts'

type Advice = OwnFigures['advice']

/** The plan of an account's machines of one product. */
export interface ProductPlan extends Plan {
  machines: readonly ListedMachine[]
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
  /** The order of the plan among others. By default it is of a page that somebody looks at. */
  rank?: number | undefined
  /** Milliseconds after which the advice that is ready is returned. The rest is computed all the same, for a later request. */
  patience?: number
}

/** With more other machines of the same GPU types, a page of machines does not wait for the plan of all, and has advice on each alone until then. */
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
    { account, recorded, market, costs, rank = ranks.page }: FleetQuery,
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
    const estimated: EstimatedMachine[] = []
    const noFit = market.state.has_rentals ? 'no_market' : 'no_rentals_known'
    for (const [index, machine] of [...machines, ...others].entries()) {
      if (index % machinesATurn === 0) await turn()
      const margin = marginOf(costsOfMachine(costs, machine), machine.num_gpus)
      const found = fitOf(machine)
      const obstacle = obstacleOf(machine, found ? null : noFit)
      if (obstacle !== null || !found)
        advice.set(machine.id, unknownAdvice(obstacle ?? noFit, machine, margin))
      else estimated.push({ machine, found, planned: plannedMachine(machine, margin) })
    }
    // The first answer has the most GPU types if the largest fleet is planned last.
    estimated.sort((one, other) => one.machine.id - other.machine.id)
    const products = [...groupBy(estimated, ({ found }) => found.product).values()].sort(
      (one, other) => one.length - other.length,
    )
    const isLarge = others.length > mostOthers
    await Promise.all(
      products.map(async (known) => {
        const asked = isLarge ? known.filter(({ machine }) => given.has(machine.id)) : known
        const plan = isLarge
          ? (madeTogether(known) ?? (await planned(asked, { rank, isAlone: true })))
          : await planned(asked, { rank, isAlone: false })
        if (!plan) return
        plans.push({ ...plan, machines: known.map(({ machine }) => machine) })
        for (const [id, its] of plan.advice) advice.set(id, its)
      }),
    )
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
  found: FoundProduct
  planned: PlannedMachine
}

const plannedMachine = (
  { id, gpu_name, gpu_memory, num_gpus, verified, hosting_type, online, price, host_share }: ListedMachine,
  margin: PlannedMachine['margin'],
): PlannedMachine => ({
  id,
  gpu_name,
  gpu_memory,
  num_gpus,
  verified,
  hosting_type,
  online,
  price,
  host_share,
  margin,
})

/** Plans of a product: advice takes milliseconds to compute, and is asked for at each slot. */
interface KeptPlans {
  made: LRUCache<string, Plan>
  /** Plans that are being made. A page does not wait for a plan that comes after others. */
  making: Map<string, Promise<Plan>>
}

const kept = new WeakMap<FittedProduct, KeptPlans>()

function keptOf(product: FittedProduct): KeptPlans {
  const plans = kept.get(product) ?? { made: new LRUCache({ max: 1000 }), making: new Map() }
  kept.set(product, plans)
  return plans
}

const keyOf = (machines: readonly EstimatedMachine[], isAlone: boolean): string =>
  JSON.stringify([isAlone, machines.map(({ planned }) => planned)])

/** The plan of all machines together, if it is made. */
function madeTogether(machines: readonly EstimatedMachine[]): Plan | undefined {
  const [first] = machines
  return first && keptOf(first.found.product).made.get(keyOf(machines, false))
}

/** Plans machines of one product; undefined: there are none. */
async function planned(
  machines: readonly EstimatedMachine[],
  { rank, isAlone }: { rank: number; isAlone: boolean },
): Promise<Plan | undefined> {
  const [first] = machines
  if (!first) return undefined
  const { found } = first
  const { made, making } = keptOf(found.product)
  const key = keyOf(machines, isAlone)
  const before = made.get(key)
  if (before) return before
  const ranked = `${rank} ${key}`
  const started =
    making.get(ranked) ??
    planInThread(found, { machines: machines.map(({ planned }) => planned), rank, isAlone })
  making.set(ranked, started)
  try {
    const plan = await started
    made.set(key, plan)
    return plan
  } finally {
    making.delete(ranked)
  }
}
