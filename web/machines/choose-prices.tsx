import type { Signal } from '@preact/signals'
import type { FleetAdviceAnswer } from '../../contract/fleet-advice.ts'
import { togetherWords } from '../../estimates/fleet-words.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { PriceChange } from '../autopilot/price-requests.ts'
import { PriceReview } from '../autopilot/price-review.tsx'
import { counted, earned } from '../format.ts'
import { source } from '../source.ts'
import { gainRange } from './gain-range.ts'

/** Ids of the machines whose prices are to be set. */
export type Chosen = Signal<ReadonlySet<number>>

/** The recommended change of a machine's price; undefined: none. */
export function changeOf({
  id,
  gpu_name,
  num_gpus,
  price,
  online,
  figures,
}: OwnMachine): PriceChange | undefined {
  const { advice, costs } = figures ?? {}
  if (!advice || !costs || !online || price === null || advice.price === null || advice.price === price)
    return undefined
  return {
    source: source ?? null,
    machine_id: id,
    gpu_name,
    num_gpus,
    from: price,
    price: advice.price,
    floor: costs.minimum_bid,
    gain: advice.gain_per_day,
  }
}

/** A daily gain, as in "+$3.14 a day". */
export const gainWords = (gain: number): string => `${gain < 0 ? '' : '+'}${earned(gain)} a day`

const togetherText = ({ gain_per_day, effect_per_day, types }: FleetAdviceAnswer): string =>
  togetherWords({
    gain: gain_per_day,
    effect: effect_per_day,
    held: types.reduce((sum, { held }) => sum + held.length, 0),
  }).join(' ')

interface ChoosePricesProps {
  machines: readonly OwnMachine[]
  chosen: Chosen
  /** The advice on all own machines together; undefined: not known yet. */
  together: FleetAdviceAnswer | undefined
}

/** The button that leads from chosen machines to their recommended prices. */
export function ChoosePrices({ machines, chosen, together }: ChoosePricesProps) {
  const changes = machines.flatMap((machine) => changeOf(machine) ?? [])
  if (changes.length === 0) return null
  const picked = changes.filter(({ machine_id }) => chosen.value.has(machine_id))
  const isAll = picked.length === changes.length
  const ids = new Set((picked.length > 0 ? picked : changes).map(({ machine_id }) => machine_id))
  // Without a selection: the gain of all.
  const gain = machines.reduce(
    (sum, { id, figures }) => (ids.has(id) ? sum + (figures?.advice.gain_per_day?.value ?? 0) : sum),
    0,
  )
  const isWhole = changes.length === together?.changes.length && (isAll || picked.length === 0)
  const ofAll = isWhole ? together?.gain_per_day : undefined
  return (
    <section class="action-bar choose-prices" aria-label="Recommended prices">
      <span class="sum">
        <strong>
          {picked.length > 0 ? `${picked.length} selected` : counted(changes.length, 'better price')}
        </strong>{' '}
        {ofAll ? (
          <>
            <strong class="good">{gainWords(ofAll.value)}</strong>{' '}
            <span class="range">({gainRange(ofAll)}).</span>{' '}
            <span class="quiet">{together && togetherText(together)}</span>
          </>
        ) : (
          gain > 0 && <strong class="good">{gainWords(gain)}</strong>
        )}
      </span>
      <button
        type="button"
        class="outline"
        onClick={() => {
          chosen.value = new Set(isAll ? [] : changes.map(({ machine_id }) => machine_id))
        }}
      >
        {isAll ? 'Clear' : `Select all ${changes.length}`}
      </button>
      <PriceReview
        changes={picked}
        label={
          picked.length === 0 ? 'Review price changes' : `Review ${counted(picked.length, 'price change')}`
        }
        onDone={() => {
          chosen.value = new Set()
        }}
      />
    </section>
  )
}
