import type { Obstacle } from '../../../contract/advice-kinds.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { adviceWords } from '../../../estimates/advice-words.ts'
import type { Margin } from '../../../estimates/costs.ts'
import type { HostShare } from '../../../estimates/host-price.ts'
import { adviseOnPrice, type MachineFit, type PooledAdvice } from '../../../estimates/pooled/advise.ts'
import { noDecision } from '../../../estimates/pooled/decide.ts'

type Advice = OwnFigures['advice']

export interface PricedMachine {
  id: number
  /** The host's part of the price, and its share. */
  price: number | null
  host_share: HostShare | null
  online: boolean
}

/** Advice on the price of a machine, as computed and as answered. */
export interface GivenAdvice {
  advice: PooledAdvice
  answer: Advice
}

/** The obstacle to any advice on a machine; null: there is none. `unfitted`: the reason why rates of the machine are unknown. */
export const obstacleOf = ({ price, online }: PricedMachine, unfitted: Obstacle | null): Obstacle | null =>
  price !== null && !online ? 'offline' : unfitted

/** The answer about a machine without an estimate. */
export const unknownAdvice = (obstacle: Obstacle, { price }: PricedMachine, margin: Margin | null): Advice =>
  answerOf({ ...nothing, decision: noDecision(obstacle, { price, margin }) }, null)

/** The advice on the price of a machine that is not made together with other machines. */
export function priceAdvice(machine: PricedMachine, fit: MachineFit, margin: Margin | null): GivenAdvice {
  const advice = adviseOnPrice(machine, fit, margin)
  return { advice, answer: answerOf(advice, advice.grade) }
}

/** A fit whose prices are the host's part. Rates depend on the order and the ratio of prices only. */
export const inHostPrices = (fit: MachineFit, of: HostShare | null): MachineFit =>
  of ? { ...fit, product: { ...fit.product, drawn: { ...fit.product.drawn, share: of.share } } } : fit

const nothing = {
  grade: 'class',
  income: null,
  wait: null,
  wait_now: null,
  trial: null,
  draws: null,
} as const

function answerOf(advice: PooledAdvice, grade: PooledAdvice['grade'] | null): Advice {
  const { decision, income, wait, wait_now, trial } = advice
  const { verdict, price, end_price, basis, gain_per_day, chance, obstacle } = decision
  return {
    verdict,
    grade,
    price,
    end_price,
    basis,
    gain_per_day,
    chance,
    income_per_day: income,
    wait,
    wait_now,
    trial,
    obstacle,
    ...adviceWords(advice),
  }
}
