import { Figure } from '../components/figure.tsx'
import { count, earned, nothing, percent, price } from '../format.ts'
import type { Advice } from './headline.tsx'
import { type Outlook, perDay } from './outlook.ts'
import { hoursWords, rangeADay, tenthOf, verdicts } from './words.ts'

interface FiguresProps {
  /** undefined: being read. */
  outlook: Outlook | undefined
  /** The results at the present price of an own machine, where another one is chosen. */
  now: Outlook | undefined
  /** undefined: there is no own machine. */
  advice: Advice | undefined
  onChoose: (price: number) => void
}

/** The expected results at the chosen price. */
export function Figures({ outlook, now, advice, onChoose }: FiguresProps) {
  const { occupancy = null, income = null, hours = null, withinDay = null } = outlook ?? {}
  const to = advice?.price ?? null
  return (
    <dl class="figures" aria-busy={!outlook}>
      <Figure
        title="Expected occupancy"
        lead={percent(occupancy?.value)}
        now={now?.occupancy && percent(now.occupancy.value)}
      >
        {occupancy && `${percent(occupancy.low)} to ${percent(occupancy.high)}`}
      </Figure>
      <Figure
        title="Income a day"
        lead={earned(income && perDay(income).value)}
        now={now?.income && earned(perDay(now.income).value)}
      >
        {rangeADay(income)}
      </Figure>
      <Figure
        title="Time to rent"
        lead={hours === null ? nothing : hoursWords(hours)}
        now={now && now.hours !== null && hoursWords(now.hours)}
      >
        {withinDay !== null && `${percent(withinDay)} within a day`}
      </Figure>
      <Figure
        title="GPUs cheaper than yours"
        lead={outlook ? `${count(outlook.cheaper)} of ${count(outlook.others)}` : nothing}
      >
        {outlook && `over 7 days in the ${tenthOf(outlook.position)}`}
      </Figure>
      {advice && (
        <Figure title="Recommended price" lead={price(to)}>
          {to !== null && (
            <>
              {advice.end_price !== to && `then in steps to ${price(advice.end_price)} `}
              <button type="button" class="plain use" onClick={() => onChoose(to)}>
                Use it
              </button>
            </>
          )}
          {to === null && verdicts.unknown}
        </Figure>
      )}
    </dl>
  )
}
