import { LRUCache } from 'lru-cache'
import type { Obstacle } from '../../../contract/advice-kinds.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { adviceWords } from '../../../estimates/advice-words.ts'
import { type KnownCosts, marginOf } from '../../../estimates/costs.ts'
import type { HostShare } from '../../../estimates/host-price.ts'
import {
  adviseOnPrice,
  type KnownProduct,
  type MachineFit,
  type PooledAdvice,
} from '../../../estimates/pooled/advise.ts'
import { noDecision } from '../../../estimates/pooled/decide.ts'

interface Machine {
  id: number
  num_gpus: number
  /** The host's part of the price, and its share. */
  price: number | null
  host_share: HostShare | null
  online: boolean
}

/** The advice on the price of a machine. A null fit: rates of the machine are unknown, because of the obstacle. */
export function priceAdvice(
  machine: Machine,
  fit: MachineFit | Obstacle,
  costs: KnownCosts,
): OwnFigures['advice'] {
  const margin = marginOf(costs, machine.num_gpus)
  const obstacle = obstacleOf(machine, fit)
  if (obstacle !== null || typeof fit === 'string')
    return answerOf(
      { ...nothing, decision: noDecision(obstacle ?? 'no_market', { price: machine.price, margin }) },
      null,
    )
  const { id, price, host_share } = machine
  return remembered(fit.product, JSON.stringify([id, price, host_share, margin, fit.rig]), () => {
    const advice = adviseOnPrice(machine, inHostPrices(fit, host_share), margin)
    return answerOf(advice, advice.grade)
  })
}

/** Advice of the machines of a product of a fit: it takes milliseconds to compute, and is asked for at each slot. */
const known = new WeakMap<KnownProduct, LRUCache<string, OwnFigures['advice']>>()

function remembered(
  product: KnownProduct,
  key: string,
  make: () => OwnFigures['advice'],
): OwnFigures['advice'] {
  const ofProduct = known.get(product) ?? new LRUCache({ max: 1000 })
  known.set(product, ofProduct)
  const advice = ofProduct.get(key) ?? make()
  ofProduct.set(key, advice)
  return advice
}

/** A fit whose prices are the host's part. Rates depend on the order and the ratio of prices only. */
const inHostPrices = (fit: MachineFit, of: HostShare | null): MachineFit =>
  of ? { ...fit, product: { ...fit.product, drawn: { ...fit.product.drawn, share: of.share } } } : fit

const nothing = { grade: 'class', income: null, wait: null, wait_now: null, trial: null } as const

const obstacleOf = ({ price, online }: Machine, fit: MachineFit | Obstacle): Obstacle | null => {
  if (price !== null && !online) return 'offline'
  return typeof fit === 'string' ? fit : null
}

function answerOf(advice: PooledAdvice, grade: PooledAdvice['grade'] | null): OwnFigures['advice'] {
  const { decision, income, wait, wait_now, trial } = advice
  const { verdict, price, end_price, basis, gain_per_day, obstacle } = decision
  return {
    verdict,
    grade,
    price,
    end_price,
    basis,
    gain_per_day,
    income_per_day: income,
    wait,
    wait_now,
    trial,
    obstacle,
    reason: adviceWords(advice),
  }
}
