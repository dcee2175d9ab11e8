import { Figure } from '../components/figure.tsx'
import { change, earned, percent, price } from '../format.ts'
import type { Advice } from './headline.tsx'
import { type Outlook, perDay } from './outlook.ts'
import { hoursWords, rangeADay } from './words.ts'

interface FiguresProps {
  outlook: Outlook
  /** The results at the present price of an own machine, where another one is chosen. */
  now: Outlook | undefined
  /** The advice, at its price or at the present one. The headline has its gain. */
  advice: Advice | undefined
}

/** The expected results at the chosen price. A figure that is not known has no place. */
export function Figures({ outlook, now, advice }: FiguresProps) {
  const { occupancy, income, hours, withinDay } = outlook
  // At a recommended price the gain of the headline is the difference of these. Incomes by observed rates may differ by another amount.
  const advised = now || !income ? advice?.income_per_day : undefined
  return (
    <dl class="figures" aria-busy={false}>
      <Figure title="Price" lead={price(outlook.price)} now={now && price(now.price)}>
        {now ? change(outlook.price / now.price - 1) : 'USD per GPU-hour'}
      </Figure>
      {occupancy && (
        <Figure
          title="Expected occupancy"
          lead={percent(occupancy.value)}
          now={now?.occupancy && percent(now.occupancy.value)}
        >
          {percent(occupancy.low)} to {percent(occupancy.high)}
        </Figure>
      )}
      {income && !advised && (
        <Figure
          title="Income a day"
          lead={earned(perDay(income).value)}
          now={now?.income && earned(perDay(now.income).value)}
        >
          {rangeADay(income)}
        </Figure>
      )}
      {advised && (
        <Figure
          title="Income a day"
          lead={earned(advised.value + (now ? (advice?.gain_per_day?.value ?? 0) : 0))}
          now={now && earned(advised.value)}
        >
          {advice?.basis === 'net' && 'after power and fee, '}as the advice expects
        </Figure>
      )}
      {hours === null && advice?.wait && (
        <Figure
          title="Time to rent"
          lead={hoursWords(advice.wait.hours)}
          now={now && advice.wait_now && hoursWords(advice.wait_now.hours)}
        >
          for half of such machines
        </Figure>
      )}
      {hours !== null && (
        <Figure
          title="Time to rent"
          lead={hoursWords(hours)}
          now={now && now.hours !== null && hoursWords(now.hours)}
        >
          {withinDay !== null && `${percent(withinDay)} within a day`}
        </Figure>
      )}
    </dl>
  )
}
