// A thread that plans prices: thousands of machines take many seconds, which must not delay requests. Pages come before fleets, and these
// before the advice of the day.
import { setImmediate as turn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { type FindMachine, type FittedProduct, openFit } from '../../../../estimates/pooled/market.ts'
import type { Steps } from '../../../../estimates/pooled/steps.ts'
import { type AdviceMemory, drawsOf, type Plan, planOf } from './plan.ts'
import type { PlanRequest } from './planner.ts'

/** A fitted market, with the products that a request had. */
interface KnownMarket {
  find: FindMachine
  products: Map<number, FittedProduct>
}

const markets = new LRUCache<number, KnownMarket>({ max: 4 })

/** Advice on single machines with its draws, 7 kB each. */
const advised: AdviceMemory = new LRUCache({ max: 20_000 })

interface Task {
  request: PlanRequest
  steps: Steps<Plan>
}

const tasks: Task[] = []
let isWorking = false

/** Milliseconds between two looks for more urgent requests. */
const slice = 20

async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  for (let task = mostUrgent(); task; task = mostUrgent()) {
    if (advance(task)) tasks.splice(tasks.indexOf(task), 1)
    await turn()
  }
  isWorking = false
}

const mostUrgent = (): Task | undefined =>
  tasks.reduce<Task | undefined>(
    (first, one) => (first && first.request.rank <= one.request.rank ? first : one),
    undefined,
  )

/** Computes for a while. Returns true at the end. */
function advance({ request: { id }, steps }: Task): boolean {
  const until = performance.now() + slice
  try {
    do {
      const step = steps.next()
      if (!step.done) continue
      parentPort?.postMessage({ id, plan: step.value })
      return true
    } while (performance.now() < until)
    return false
  } catch (error) {
    parentPort?.postMessage({ id, error })
    return true
  }
}

parentPort?.on('message', (request: PlanRequest) => {
  const { id, market, product, opened, machines, isAlone } = request
  if (opened && !markets.has(market))
    markets.set(market, { find: openFit(opened.market, drawsOf), products: new Map() })
  const known = markets.get(market)
  if (opened && !known?.products.has(product)) known?.products.set(product, opened.product)
  const of = known?.products.get(product)
  if (!known || !of) {
    parentPort?.postMessage({ id, isMissing: true })
    return
  }
  const fitOf = (machine: PlanRequest['machines'][number]) => known.find(machine, [of])
  tasks.push({ request, steps: planOf(machines, { fitOf, market, advised, isAlone }) })
  void work()
})
