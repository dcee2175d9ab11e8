import type { OwnFigures } from '../../contract/machines.ts'
import type { Margin } from '../../estimates/costs.ts'
import { noIncomeWords } from '../../estimates/no-income.ts'
import type { OwnMachine } from '../api/queries.ts'
import { PriceReview } from '../autopilot/price-review.tsx'
import { Grade } from '../components/grade.tsx'
import { capitalized, earned, price as written } from '../format.ts'
import { gainRange } from '../machines/gain-range.ts'
import { source } from '../source.ts'
import { type Outlook, perDay } from './outlook.ts'
import { verdicts } from './words.ts'

export type Advice = OwnFigures['advice']

interface HeadlineProps {
  outlook: Outlook
  /** The advice on the own price, while it is the chosen one. */
  advice: Advice | undefined
  machine: OwnMachine | undefined
  /** null: power or fee are not known. */
  margin: Margin | null
  onChoose: (price: number) => void
}

/** The advice on the own price as a sentence, its grade and its reason, or the income at another price; and the button that sets a price. */
export function Headline({ outlook, advice, machine, margin, onChoose }: HeadlineProps) {
  const to = machine?.figures?.advice.price ?? null
  return (
    <div class="verdict">
      <output aria-live="polite">
        <strong class="headline">
          {advice ? <Sentence advice={advice} at={outlook.price} /> : <Expected outlook={outlook} />}
        </strong>
        {advice && <Grade level={levelOf(advice)} />}{' '}
        <span class="quiet">{advice ? evidenceOf(advice) : wordsOn(outlook, margin)}</span>
        {!advice && to !== null && (
          <button type="button" class="link" onClick={() => onChoose(to)}>
            Back to {written(to)}, the recommended price
          </button>
        )}
      </output>
      {machine && <SetPrice machine={machine} advice={advice} at={outlook.price} />}
    </div>
  )
}

function Sentence({ advice: { verdict, price, gain_per_day }, at }: { advice: Advice; at: number }) {
  if (verdict === 'keep') return <>Keep {written(at)}</>
  if (verdict === 'unknown') return <>{verdicts.unknown}</>
  if (verdict === 'start') return <>Start at {written(price)}</>
  if (verdict === 'try')
    return (
      <>
        Try {written(price)}
        {gain_per_day && `: probably ${earned(gain_per_day.value)} a day more`}
      </>
    )
  return (
    <>
      {verdict === 'raise' ? 'Raise' : 'Lower'} to {written(price)}
      {gain_per_day && (
        <>
          : about <span class="good">{earned(gain_per_day.value)} a day more</span>
        </>
      )}
    </>
  )
}

/** The range of the gain that the headline names, and the evidence. */
const evidenceOf = ({ gain_per_day, chance, evidence }: Advice): string =>
  gain_per_day && chance !== null ? `${capitalized(gainRange(gain_per_day))} a day. ${evidence}` : evidence

/** The income of the chosen price, which is not the own one. */
const Expected = ({ outlook: { price, income } }: { outlook: Outlook }) =>
  income ? (
    <>
      About {earned(perDay(income).value)} a day at {written(price)}
    </>
  ) : (
    <>Income at {written(price)} is not known</>
  )

/** The reason against a chosen price, or for a missing income. */
function wordsOn({ price, reason }: Outlook, margin: Margin | null): string {
  if (margin && price < margin.floor)
    return `${written(margin.minimum_bid)} is the minimum bid: below it, a rented hour leaves less than an idle one.`
  return reason ? noIncomeWords[reason] : ''
}

/** The strength of the evidence: a gain that is certain by a wide margin is strong. */
function levelOf({ verdict, grade, gain_per_day }: Advice): 1 | 2 | 3 | 4 {
  if (verdict === 'unknown') return 1
  if (verdict === 'try' || grade === 'first_snapshot') return 2
  return gain_per_day && gain_per_day.low > gain_per_day.value / 2 ? 4 : 3
}

interface SetPriceProps {
  machine: OwnMachine
  advice: Advice | undefined
  /** The chosen price. */
  at: number
}

/** Sets the chosen price, or the recommended one while the own price is chosen. */
function SetPrice({
  machine: { id, gpu_name, num_gpus, rented_gpus, price, online, figures },
  advice,
  at,
}: SetPriceProps) {
  const wanted = advice ? advice.price : at
  if (price === null || !online || wanted === null || wanted === price) return null
  return (
    <div class="set">
      <PriceReview
        label={`Set ${written(wanted)}`}
        changes={[
          {
            source: source ?? null,
            machine_id: id,
            gpu_name,
            num_gpus,
            from: price,
            price: wanted,
            floor: figures?.costs.minimum_bid ?? null,
            gain: advice?.gain_per_day ?? null,
          },
        ]}
      />
      {rented_gpus !== num_gpus && <span class="quiet">For new rentals. Present ones keep their price.</span>}
    </div>
  )
}
