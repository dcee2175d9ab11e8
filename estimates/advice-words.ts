import type { Grade, Obstacle } from '../contract/advice-kinds.ts'
import { earnedWords, exactly } from '../contract/money.ts'
import type { Estimate } from './fill-rate.ts'
import type { PooledAdvice } from './pooled/advise.ts'
import { type Decision, largestStep } from './pooled/decide.ts'
import type { StartAdvice } from './pooled/start.ts'
import type { Wait } from './pooled/wait.ts'

const gradeWords: Record<Grade, string> = {
  first_snapshot: 'Estimated from the first snapshots of the market.',
  class: 'Estimated from rentals of similar machines.',
  own_results: 'Estimated from rentals of similar machines and its own.',
}

const obstacleWords: Record<Obstacle, string> = {
  offline: 'The machine is offline. Bring it back online first.',
  no_rentals_known:
    'The source of this market does not show which GPUs are rented, so rental rates are not known.',
  no_market: 'No machine of this GPU type was on the market in the last 10 days.',
  no_others: 'No other machine of this GPU type has an offer, so there is no price to compare with.',
  unsure: 'Another price may earn more or less: the difference is within what is not known yet.',
}

const priceOf = exactly(4)
const rangeOf = ({ low, high }: Estimate): string => `(${earnedWords(low)} to ${earnedWords(high)})`
/** The costs that are deducted from amounts, if any. */
const afterOf = (basis: Decision['basis']): string => (basis === 'net' ? ' after power and fee' : '')
const of100 = (share: number): string => `${Math.round(100 * share)} of 100`
const percent = (share: number): string => `${Math.round(100 * share)} %`

const inSteps = `steps of at most ${largestStep * 100} %`

/** The advice as sentences: all of them, and the ones that say more than its verdict, price and gain. */
interface AdviceWords {
  reason: string
  evidence: string
}

/** Explains the advice on a price, and its source. */
export function adviceWords({
  decision,
  grade,
  wait,
  trial,
}: Pick<PooledAdvice, 'decision' | 'grade' | 'wait' | 'trial'>): AdviceWords {
  const { obstacle } = decision
  if (obstacle) return { reason: obstacleWords[obstacle], evidence: obstacleWords[obstacle] }
  const sentences = decisionWords(decision)
  // The first sentence of a change and of a start is what the figures say.
  const saysMore = decision.verdict === 'keep' || decision.below_floor
  if (decision.verdict === 'try' && trial)
    sentences.push(
      `Ask it for ${trial.days === 1 ? 'a day' : `${trial.days} days`}: it costs at most ${earnedWords(trial.cost)} and shows more.`,
    )
  if (decision.verdict === 'start' && wait) sentences.push(waitWords(wait))
  if (!decision.below_floor) sentences.push(gradeWords[grade])
  return { reason: sentences.join(' '), evidence: sentences.slice(saysMore ? 0 : 1).join(' ') }
}

/** Sentences about the price to begin with, of a machine that is not there yet. */
export function startWords({ decision, grade, income, wait, step }: StartAdvice): string {
  if (decision.obstacle) return obstacleWords[decision.obstacle]
  const sentences = [`Start at ${priceOf(decision.price ?? 0)}.`]
  if (income)
    sentences.push(
      `In the long run it earns about ${earnedWords(income.value)} a day${afterOf(decision.basis)} ${rangeOf(income)}.`,
    )
  if (wait) sentences.push(rentedWords(wait))
  if (wait && step)
    sentences.push(`If it is still free after ${spanOf(step.after_hours)}, ask ${priceOf(step.price)}.`)
  sentences.push(gradeWords[grade])
  return sentences.join(' ')
}

function decisionWords({ verdict, price, end_price, below_floor, basis, ...gains }: Decision): string[] {
  const { gain_per_day: gain, chance, end_gain } = gains
  const after = afterOf(basis)
  if (verdict === 'keep') return [`No other price is likely to earn over 10 % more${after}.`]
  const to = priceOf(price ?? 0)
  if (verdict === 'start') return [`Start at ${to}.`]
  const moreOf = (more: Estimate) => `about ${earnedWords(more.value)} a day more${after} ${rangeOf(more)}`
  if (below_floor)
    return [
      `Raise it to ${to}, the minimum bid: below it, a rented hour leaves less than an idle one.`,
      ...(gain ? [`It loses about ${earnedWords(gain.value)} a day ${rangeOf(gain)}.`] : []),
    ]
  if (!gain) return []
  const cases = chance !== null && gain.low < 0 ? [`It earns more than now in ${of100(chance)} cases.`] : []
  if (verdict === 'try') return [`Try ${to}: probably ${moreOf(gain)}.`, ...cases]
  const now = [`${verdict === 'raise' ? 'Raise' : 'Lower'} it to ${to}: ${moreOf(gain)}.`, ...cases]
  return price === end_price || !end_gain
    ? now
    : [...now, `In ${inSteps} this leads to ${priceOf(end_price ?? 0)}: ${moreOf(end_gain)}.`]
}

/** The usual wait for a first rental, and the time after which a lower price is due. */
const waitWords = (wait: Wait): string =>
  `${rentedWords(wait)} Step down if it is still free after ${spanOf(wait.long_hours)}.`

function rentedWords({ hours, chances }: Wait): string {
  const [, days] = chances
  const within = days ? `, ${percent(days.chance)} within ${days.days} days` : ''
  return `Half of such machines are rented within ${spanOf(hours)}${within}.`
}

const spanOf = (hours: number): string =>
  hours < 48 ? `${Math.max(1, Math.round(hours))} h` : `${Math.round(hours / 24)} days`
