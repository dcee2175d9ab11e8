import type { Signal } from '@preact/signals'
import type { OwnMachine } from '../api/queries.ts'
import { type PriceChange, PriceReview } from '../autopilot/price-review.tsx'
import { source } from '../source.ts'

/** Ids of the machines whose prices are to be set. */
export type Chosen = Signal<ReadonlySet<number>>

/** What is recommended for a machine; undefined: to leave its price. */
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

/** Leads from chosen machines to their recommended prices. */
export function ChoosePrices({ machines, chosen }: { machines: readonly OwnMachine[]; chosen: Chosen }) {
  const changes = machines.flatMap((machine) => changeOf(machine) ?? [])
  if (changes.length === 0) return null
  const picked = changes.filter(({ machine_id }) => chosen.value.has(machine_id))
  const isAll = picked.length === changes.length
  return (
    <section class="choose-prices" aria-label="Recommended prices">
      <button
        type="button"
        class="secondary outline"
        onClick={() => {
          chosen.value = new Set(isAll ? [] : changes.map(({ machine_id }) => machine_id))
        }}
      >
        {isAll ? 'Choose none' : `Choose all ${changes.length} to change`}
      </button>
      <PriceReview
        changes={picked}
        onDone={() => {
          chosen.value = new Set()
        }}
      />
    </section>
  )
}
