import { earnedWords, exactly } from '../contract/money.ts'
import { type Decision, largestStep } from './price-advice.ts'

// The page imports this file, so it must not import zod.

/** The reason why there is no estimate at a price. */
export type NoIncome =
  | 'not_listed'
  | 'not_on_market'
  | 'few_as_dear'
  | 'few_rentals'
  | 'little_exposure'
  | 'no_returns'

/** The same reason as a sentence. */
export const noIncomeWords: Record<NoIncome, string> = {
  not_listed: 'The machine is not listed.',
  not_on_market: 'The machine is offline.',
  few_rentals:
    'Fewer than 5 GPUs like this were rented in this price decile in 7 days: too few for an estimate.',
  little_exposure:
    'GPUs like this were hardly offered in this price decile in 7 days: too few for an estimate.',
  few_as_dear: 'Fewer than one in twenty of the GPUs on offer cost as much: too few for an estimate.',
  no_returns: 'No rental of GPUs like this ended in 7 days, so it is not known how long one lasts.',
}

const nextSteps: Record<NoIncome, string> = {
  not_listed: 'List it to see the expected income.',
  not_on_market: 'Bring it back online first.',
  few_rentals: 'Check again in a few days, after more rentals.',
  little_exposure: 'Check again in a few days, after more offers.',
  few_as_dear: '',
  no_returns: 'Check again in a few days, after rentals have ended.',
}

const priceOf = exactly(4)
type Gain = NonNullable<Decision['gain_per_day']>
const rangeOf = ({ low, high }: Gain): string => `(${earnedWords(low)} to ${earnedWords(high)})`
const moreOf = (gain: Gain, after: string): string =>
  `about ${earnedWords(gain.value)} a day more${after} ${rangeOf(gain)}`
/** The costs that are deducted from amounts, if any. */
const afterOf = (basis: Decision['basis']): string => (basis === 'net' ? ' after power and fee' : '')

const inSteps = `steps of at most ${largestStep * 100} %`

/** A sentence that explains a price decision. `noIncome`: the reason why there is no income at the price; null: there is one. */
export function adviceWords(decision: Decision, noIncome: NoIncome | null): string {
  const { verdict, price, end_price, gain_per_day, end_gain, obstacle, basis } = decision
  const after = afterOf(basis)
  if (verdict === 'keep') return `No other price is expected to earn over 5 % more${after}.`
  if (decision.below_floor && price !== null) {
    const loss =
      gain_per_day && ` It loses about ${earnedWords(gain_per_day.value)} a day ${rangeOf(gain_per_day)}.`
    return `Raise it to ${priceOf(price)}, the minimum bid: below it, a rented hour leaves less than an idle one.${loss ?? ''}`
  }
  if (!obstacle && price !== null && end_price !== null && gain_per_day && end_gain) {
    const now = `${verdict === 'raise' ? 'Raise' : 'Lower'} it to ${priceOf(price)}: ${moreOf(gain_per_day, after)}.`
    return price === end_price
      ? now
      : `${now} In ${inSteps} this leads to ${priceOf(end_price)}: ${moreOf(end_gain, after)}.`
  }
  return obstacle ? obstacleWords(obstacle, noIncome, after) : ''
}

function obstacleWords(
  { why, price, gain }: NonNullable<Decision['obstacle']>,
  noIncome: NoIncome | null,
  after: string,
): string {
  const ask =
    price === null ? '' : `Ask at most ${priceOf(price)}, a price with enough observations, to learn more.`
  switch (why) {
    case 'no_income': {
      const reason = noIncome ?? 'few_rentals'
      return `${noIncomeWords[reason]} ${nextSteps[reason] || ask}`.trim()
    }
    case 'extrapolated':
      return `There are too few observations of prices like this one: it is among the highest, or below all others. ${ask}`.trim()
    case 'undecided':
    case 'unsure': {
      const may =
        gain && price !== null
          ? `At ${priceOf(price)}, a day may earn between ${earnedWords(gain.low)} and ${earnedWords(gain.high)} more${after}. `
          : ''
      return `${may}There are too few observations to compare the prices. Check again in a few days, after more rentals.`
    }
    case 'no_step':
      return gain && price !== null
        ? `At ${priceOf(price)} it should earn ${moreOf(gain, after)}, but none of the ${inSteps} on the way is known to earn more. Try that price if the machine is idle.`
        : ''
  }
}
