import type { Signal } from '@preact/signals'
import type { OwnMachine } from '../api/queries.ts'
import { type PriceChange, PriceReview } from '../autopilot/price-review.tsx'
import { counted, earned } from '../format.ts'
import { source } from '../source.ts'

/** Ids of the machines whose prices are to be set. */
export type Chosen = Signal<ReadonlySet<number>>

/** The recommended change of a machine's price; undefined: none. */
export function changeOf({ id, gpu_name, price, online, figures }: OwnMachine): PriceChange | undefined {
  const { advice, costs } = figures ?? {}
  if (!advice || !costs || !online || price === null || advice.price === null || advice.price === price)
    return undefined
  return {
    source: source ?? null,
    machine_id: id,
    gpu_name,
    from: price,
    price: advice.price,
    floor: costs.minimum_bid,
    reason: advice.reason,
  }
}

/** The button that leads from chosen machines to their recommended prices. */
export function ChoosePrices({ machines, chosen }: { machines: readonly OwnMachine[]; chosen: Chosen }) {
  const changes = machines.flatMap((machine) => changeOf(machine) ?? [])
  if (changes.length === 0) return null
  const picked = changes.filter(({ machine_id }) => chosen.value.has(machine_id))
  const isAll = picked.length === changes.length
  const ids = new Set(picked.map(({ machine_id }) => machine_id))
  const gain = machines.reduce(
    (sum, { id, figures }) => (ids.has(id) ? sum + (figures?.advice.gain_per_day?.value ?? 0) : sum),
    0,
  )
  return (
    <section class="choose-prices" aria-label="Recommended prices">
      <span class="sum">
        <strong>
          {picked.length > 0 ? `${picked.length} selected` : `${changes.length} with a better price`}
        </strong>{' '}
        {gain > 0 && <strong class="good">+{earned(gain)} a day</strong>}
      </span>
      <button
        type="button"
        class="outline"
        onClick={() => {
          chosen.value = new Set(isAll ? [] : changes.map(({ machine_id }) => machine_id))
        }}
      >
        {isAll ? 'Clear' : `Select ${changes.length} with a better price`}
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
