import type { Decision } from '../../estimates/price-advice.ts'
import { Figure } from '../components/figure.tsx'
import { count, earned, nothing, percent, price } from '../format.ts'
import { type Outlook, perDay } from './outlook.ts'
import { hoursWords, rangeADay, tenthOf } from './words.ts'

export type Advised = Pick<Decision, 'price' | 'end_price'>

interface FiguresProps {
  /** undefined: being read. */
  outlook: Outlook | undefined
  /** undefined: being read. */
  advised: Advised | undefined
  onChoose: (price: number) => void
}

/** The expected results at the chosen price. */
export function Figures({ outlook, advised, onChoose }: FiguresProps) {
  const { occupancy = null, income = null, hours = null, withinDay = null } = outlook ?? {}
  const to = advised?.price ?? null
  return (
    <dl class="figures" aria-busy={!outlook}>
      <Figure title="Expected occupancy" lead={percent(occupancy?.value)}>
        {occupancy && `${percent(occupancy.low)} to ${percent(occupancy.high)}`}
      </Figure>
      <Figure title="Income a day" lead={earned(income && perDay(income).value)}>
        {rangeADay(income)}
      </Figure>
      <Figure title="Time to rent" lead={hours === null ? nothing : hoursWords(hours)}>
        {withinDay !== null && `${percent(withinDay)} within a day`}
      </Figure>
      <Figure
        title="GPUs cheaper than yours"
        lead={outlook ? `${count(outlook.cheaper)} of ${count(outlook.others)}` : nothing}
      >
        {outlook && `over 7 days in the ${tenthOf(outlook.position)}`}
      </Figure>
      <Figure title="Recommended price" lead={price(to)}>
        {to !== null && (
          <>
            {advised?.end_price !== to && `then in steps to ${price(advised?.end_price)} `}
            <button type="button" class="plain use" onClick={() => onChoose(to)}>
              Use it
            </button>
          </>
        )}
        {advised && to === null && 'not enough data'}
      </Figure>
    </dl>
  )
}
