import { type CostField, costWords } from '../../contract/cost-fields.ts'
import { costFiguresOf } from '../../estimates/costs.ts'
import { Figure } from '../components/figure.tsx'
import { CostsButton } from '../costs/costs-button.tsx'
import { count, day, earned, nothing, percent, plain, price } from '../format.ts'
import type { DeskOffer, Outlook } from './outlook.ts'

interface NetFiguresProps {
  /** undefined: being read. */
  outlook: Outlook | undefined
  /** The results at the present price of an own machine, where another one is chosen. */
  now: Outlook | undefined
  offer: DeskOffer | undefined
  /** The own machine that is priced; 0: a class of machines is priced. */
  machine: number
  /** The newest snapshot, unix seconds. */
  slot: number
}

/** The net income at the chosen price. */
export function NetFigures({ outlook, now, offer, machine, slot }: NetFiguresProps) {
  const about =
    outlook &&
    offer &&
    costFiguresOf({ price: outlook.price, gpus: offer.gpus }, outlook.occupancy, offer.costs)
  const { net = null } = outlook ?? {}
  const {
    floor = null,
    minimum_bid = null,
    break_even_price = null,
    break_even_occupancy = null,
  } = about ?? {}
  const { keep_on = null } = about ?? {}
  if (about && net === null && floor === null && break_even_price === null)
    return (
      <section class="net missing" aria-label="After costs">
        <span>
          <strong>Net income, break-even and payback</strong>{' '}
          <span class="quiet">need your power price and the marketplace fee.</span>
        </span>
        <CostsButton machine={machine} />
      </section>
    )
  return (
    <section class="net" aria-label="After costs">
      <dl class="figures">
        <Figure title="Net a day" lead={earned(net?.value)} now={now?.net && earned(now.net.value)}>
          {net && `${earned(net.low)} to ${earned(net.high)}`}
        </Figure>
        <Figure title="Minimum bid" lead={earned(minimum_bid)}>
          {floor !== null && `floor ${price(floor)}`}
        </Figure>
        <Figure title="Breaks even at" lead={price(break_even_price)}>
          {break_even_occupancy !== null && evenWords(break_even_occupancy)}
        </Figure>
        <Payback days={about?.payback_days ?? null} slot={slot} />
        <Figure title="Keep powered on?" lead={keep_on ? keepWords[keep_on.verdict] : 'Not known'}>
          {keep_on && `${earned(keep_on.per_day.value)} a day more than off`}
        </Figure>
      </dl>
      <p class="note">
        {about && `${namesOf(about)} `}
        <CostsButton machine={machine} />
      </p>
    </section>
  )
}

const keepWords = { yes: 'Yes', no: 'No', unknown: 'Not sure' }

const evenWords = (occupancy: number): string =>
  occupancy > 1
    ? 'at this price not even at full occupancy'
    : `or at this price when rented ${percent(occupancy)} of the time`

/** The time in which the machine earns its purchase price, from today. */
function Payback({ days, slot }: { days: ReturnType<typeof costFiguresOf>['payback_days']; slot: number }) {
  const daysOf = (value: number | null) => (value === null ? 'never' : `${count(value)} d`)
  const at = days?.value == null || slot === 0 ? '' : `, ${day(slot + days.value * 86_400)}`
  return (
    <Figure title="Payback" lead={days ? daysOf(days.value) : nothing}>
      {days && `${daysOf(days.low)} to ${daysOf(days.high)}${at}`}
    </Figure>
  )
}

/** The costs that the figures are based on. */
function namesOf({ values, assumed, unknown }: DeskOffer['costs']): string {
  const named = (field: CostField) => costWords[field][0].toLowerCase()
  const guessed = assumed.map(
    (field) => `${named(field)} ${plain(values[field] ?? 0)} ${costWords[field][1]}`,
  )
  return [
    guessed.length > 0 && `Assumed from the GPU type: ${guessed.join(', ')}.`,
    unknown.length > 0 && `Unknown and left out: ${unknown.map(named).join(', ')}.`,
    guessed.length + unknown.length === 0 && 'All costs are as you entered them.',
  ]
    .filter(Boolean)
    .join(' ')
}
