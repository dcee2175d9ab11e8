import { adviceWords } from '../../estimates/advice-words.ts'
import { type Decision, decide } from '../../estimates/price-advice.ts'
import type { OwnMachine } from '../api/queries.ts'
import { PriceReview } from '../autopilot/price-review.tsx'
import { Grade } from '../components/grade.tsx'
import { earned, price as written } from '../format.ts'
import { source } from '../source.ts'
import type { DeskOffer, Outlook } from './outlook.ts'

interface HeadlineProps {
  outlook: Outlook
  offer: DeskOffer
  machine: OwnMachine | undefined
}

/** The advice on the chosen price as a sentence, its grade and its reason, and the button that sets a price. */
export function Headline({ outlook, offer, machine }: HeadlineProps) {
  const decision = decide(outlook.price, offer)
  return (
    <div class="verdict">
      <output aria-live="polite">
        <strong class="headline">
          <Sentence decision={decision} at={outlook.price} />
        </strong>
        <Grade level={levelOf(decision)} /> <span class="quiet">{adviceWords(decision, outlook.reason)}</span>
      </output>
      {machine && <SetPrice machine={machine} decision={decision} at={outlook.price} />}
    </div>
  )
}

function Sentence({
  decision: { verdict, price, gain_per_day, obstacle },
  at,
}: {
  decision: Decision
  at: number
}) {
  if (verdict === 'keep') return <>Keep {written(at)}</>
  if (verdict === 'unknown') return <>{obstacle?.gain ? 'Not certain yet' : 'Not enough data'}</>
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

/** The strength of the evidence: a gain that is certain by a wide margin is strong. */
function levelOf({ verdict, gain_per_day, obstacle }: Decision): 1 | 2 | 3 | 4 {
  if (verdict === 'unknown') return obstacle?.gain ? 2 : 1
  return gain_per_day && gain_per_day.low > gain_per_day.value / 2 ? 4 : 3
}

interface SetPriceProps {
  machine: OwnMachine
  decision: Decision
  /** The chosen price. */
  at: number
}

/** Sets the chosen price, or the recommended one while the own price is chosen. */
function SetPrice({ machine: { id, gpu_name, price, online, figures }, decision, at }: SetPriceProps) {
  const wanted = at === price ? decision.price : at
  if (price === null || !online || wanted === null || wanted === price) return null
  return (
    <PriceReview
      label={`Set ${written(wanted)}`}
      changes={[
        {
          source: source ?? null,
          machine_id: id,
          gpu_name,
          from: price,
          price: wanted,
          floor: figures?.costs.minimum_bid ?? null,
          reason: at === price ? adviceWords(decision, null) : 'Chosen by you.',
        },
      ]}
    />
  )
}
