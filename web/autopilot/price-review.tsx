import './price-review.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useActions } from './api.ts'
import { decisionWords, priceWords } from './words.ts'

/** A price to set once. */
export interface PriceChange {
  source: string | null
  machine_id: number
  gpu_name: string
  from: number
  price: number
  /** The floor from the costs or from a rule; null: unknown. */
  floor: number | null
  reason: string
}

interface PriceReviewProps {
  changes: readonly PriceChange[]
  /** The text of the button. */
  label: string
  /** Called when the prices were set or refused. */
  onDone?: () => void
}

/** Shows chosen prices before they are set once by hand, and the results afterwards. */
export function PriceReview({ changes, label, onDone }: PriceReviewProps) {
  const reviewed = useSignal<readonly PriceChange[]>()
  const said = useSignal<string[]>([])
  return (
    <div class="price-review">
      <button
        type="button"
        disabled={changes.length === 0}
        onClick={() => {
          reviewed.value = changes
        }}
      >
        {label}
      </button>
      {reviewed.value && (
        <Review
          changes={reviewed.value}
          onClose={() => {
            reviewed.value = undefined
          }}
          onDone={(lines) => {
            said.value = lines
            onDone?.()
          }}
        />
      )}
      <output aria-live="polite">
        {said.value.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </output>
    </div>
  )
}

interface ReviewProps {
  changes: readonly PriceChange[]
  onClose: () => void
  onDone: (lines: string[]) => void
}

function Review({ changes, onClose, onDone }: ReviewProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { apply } = useActions()
  const busy = useSignal(false)
  useEffect(() => dialog.current?.showModal(), [])
  async function set(): Promise<void> {
    busy.value = true
    const lines: string[] = []
    for (const source of new Set(changes.map((one) => one.source))) {
      const own = changes
        .filter((one) => one.source === source)
        .map(({ machine_id, from, price }) => ({ machine_id, from, price }))
      await apply({ source, changes: own }).then(
        ({ decisions }) => {
          for (const one of decisions)
            lines.push(`Machine ${one.machine_id}: ${decisionWords(one)}. ${one.reason}`)
        },
        (error: Error) => lines.push(error.message),
      )
    }
    onDone(lines)
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} class="price-review" aria-labelledby="review-title" onClose={onClose}>
      <article>
        <h2 id="review-title">Set these prices?</h2>
        <p class="quiet">
          Each is changed by at most 20 %, and never below the floor of its costs or of a rule on it.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
        <section class="scrolls" tabIndex={0} aria-label="Chosen prices">
          <table>
            <thead>
              <tr>
                <th scope="col">Machine</th>
                <th scope="col">Now</th>
                <th scope="col">New</th>
                <th scope="col">Floor</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ source, machine_id, gpu_name, from, price, floor, reason }) => (
                <tr key={`${source ?? ''} ${machine_id}`}>
                  <th scope="row">
                    {machine_id} <span class="quiet">{gpu_name}</span>
                  </th>
                  <td data-title="Now">{priceWords(from)}</td>
                  <td data-title="New">
                    <strong>{priceWords(price)}</strong>
                  </td>
                  <td data-title="Floor">{priceWords(floor)}</td>
                  <td>{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <footer>
          <button type="button" class="secondary outline" onClick={() => dialog.current?.close()}>
            Change nothing
          </button>
          <button type="button" aria-busy={busy.value} disabled={busy.value} onClick={set}>
            Set {changes.length === 1 ? '1 price' : `${changes.length} prices`}
          </button>
        </footer>
      </article>
    </dialog>
  )
}
