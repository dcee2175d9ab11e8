import type { BestPrice } from '../../contract/fill-rate.ts'
import { Figure } from '../components/figure.tsx'
import { count, earned, nothing, percent, price } from '../format.ts'
import { type Outlook, perDay } from './outlook.ts'
import { hoursWords, rangeADay, tenthOf } from './words.ts'

interface FiguresProps {
  /** undefined: on its way. */
  outlook: Outlook | undefined
  best: BestPrice | null | undefined
  onChoose: (price: number) => void
}

/** What to expect at the chosen price. */
export function Figures({ outlook, best, onChoose }: FiguresProps) {
  const { occupancy = null, income = null, hours = null, withinDay = null } = outlook ?? {}
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
        {outlook && `7-day mean: ${tenthOf(outlook.position)}`}
      </Figure>
      <Figure title="Best price" lead={price(best?.price)}>
        {best && (
          <>
            {best.from === best.to ? '' : `${price(best.from)} to ${price(best.to)} `}
            <button type="button" class="plain use" onClick={() => onChoose(best.price)}>
              Use it
            </button>
          </>
        )}
      </Figure>
    </dl>
  )
}
