import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { MarketFit } from '../../../../estimates/pooled/advise.ts'
import type { FittedProduct } from '../../../../estimates/pooled/market.ts'
import type { FoundProduct } from './known-market.ts'
import type { Plan, PlannedMachine } from './plan.ts'

/** The order of plans: machines that somebody looks at, all machines of an account, and the advice of the day. */
export const ranks = { page: 0, fleet: 1, daily: 2 } as const

/** A message to the thread. */
export interface PlanRequest {
  id: number
  rank: number
  /** Number of the market's fit. */
  market: number
  /** Index of the product in the fit. */
  product: number
  /** The fit, if the thread does not have it. */
  opened?: FoundProduct
  machines: readonly PlannedMachine[]
  /** True: as if no other machine of the account changed its price. */
  isAlone: boolean
}

/** A message of the thread. */
export type PlanReply = { id: number } & ({ plan: Plan } | { error: Error } | { isMissing: true })

const script = createRequire(import.meta.url).resolve('#dist/src/hosts/machines/pooled/plan-thread.js')

interface Waiting {
  request: PlanRequest
  found: FoundProduct
  resolve(plan: Plan): void
  reject(error: Error): void
}

// A thread for all markets of a process, and for its API and workers: they ask for the same plans.
const waiting = new Map<number, Waiting>()
const numbers = new WeakMap<MarketFit, number>()
let thread: Worker | undefined
let [plans, fits] = [0, 0]

/** Plans machines of one product, in a thread of its own. */
export function planInThread(
  found: FoundProduct,
  asked: Pick<PlanRequest, 'machines' | 'rank' | 'isAlone'>,
): Promise<Plan> {
  const market = numbers.get(found.market) ?? ++fits
  numbers.set(found.market, market)
  const request = { ...asked, id: ++plans, market, product: found.product.product }
  return new Promise((resolve, reject) => {
    waiting.set(request.id, { request, found, resolve, reject })
    openThread().postMessage(request)
  })
}

function openThread(): Worker {
  if (thread) return thread
  const opened = new Worker(script)
  thread = opened
  opened.on('message', (reply: PlanReply) => take(reply, opened))
  opened.on('error', (error) => {
    // The next plan starts another thread.
    thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  // A listener keeps the process alive, so this comes after it.
  opened.unref()
  return opened
}

function take(reply: PlanReply, from: Worker): void {
  const asked = waiting.get(reply.id)
  if (!asked) return
  const { request, found, resolve, reject } = asked
  if ('isMissing' in reply) {
    const { market, product }: { market: MarketFit; product: FittedProduct } = found
    from.postMessage({ ...request, opened: { market, product } })
    return
  }
  waiting.delete(reply.id)
  if ('error' in reply) reject(reply.error)
  else resolve(reply.plan)
}
