import type { Obstacle } from '../../../contract/advice-kinds.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { adviceWords } from '../../../estimates/advice-words.ts'
import { type KnownCosts, marginOf } from '../../../estimates/costs.ts'
import { type HostShare, hostPart } from '../../../estimates/host-price.ts'
import { adviseOnPrice, type MachineFit, type PooledAdvice } from '../../../estimates/pooled/advise.ts'
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
  const advice = adviseOnPrice(machine, inHostPrices(fit, machine.host_share), margin)
  return answerOf(advice, advice.grade)
}

/** A fit with the host's part of all prices in the books. Rates depend on the order and the ratio of prices only. */
function inHostPrices(fit: MachineFit, of: HostShare | null): MachineFit {
  if (!of) return fit
  const { drawn } = fit.product
  const books = drawn.books.books.map((book) => ({
    ...book,
    prices: book.prices.map((price) => hostPart(price, of)),
  }))
  const median = drawn.books.median + Math.log(of.share)
  return { ...fit, product: { ...fit.product, drawn: { ...drawn, books: { books, median } } } }
}

const nothing = { grade: 'class', income: null, wait: null, trial: null } as const

const obstacleOf = ({ price, online }: Machine, fit: MachineFit | Obstacle): Obstacle | null => {
  if (price !== null && !online) return 'offline'
  return typeof fit === 'string' ? fit : null
}

function answerOf(advice: PooledAdvice, grade: PooledAdvice['grade'] | null): OwnFigures['advice'] {
  const { decision, income, wait, trial } = advice
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
    trial,
    obstacle,
    reason: adviceWords(advice),
  }
}
