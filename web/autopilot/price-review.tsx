import './price-review.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { Pager } from '../components/pager.tsx'
import { count, counted } from '../format.ts'
import { useActions } from './api.ts'
import { type PriceChange, requestsOf, resultLines } from './price-requests.ts'
import { priceWords } from './words.ts'

const rowsOfPage = 100

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
  const decided = useSignal(0)
  const page = useSignal(1)
  useEffect(() => dialog.current?.showModal(), [])
  async function set(): Promise<void> {
    busy.value = true
    const decisions: AutopilotDecision[] = []
    const errors: string[] = []
    for (const request of requestsOf(changes)) {
      await apply(request).then(
        (answer) => decisions.push(...answer.decisions),
        (error: Error) => errors.push(error.message),
      )
      decided.value = decisions.length
      // Further requests would most likely fail, too.
      if (errors.length > 0) break
    }
    if (errors.length > 0 && decisions.length > 0)
      errors.push(`${counted(changes.length - decisions.length, 'price')} not sent.`)
    onDone([...resultLines(decisions), ...errors])
    dialog.current?.close()
  }
  const shown = changes.slice((page.value - 1) * rowsOfPage, page.value * rowsOfPage)
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
              {shown.map(({ source, machine_id, gpu_name, from, price, floor, reason }) => (
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
          <Pager
            page={page.value}
            size={rowsOfPage}
            of={changes.length}
            onPage={(next) => {
              page.value = next
            }}
          />
        </section>
        <footer>
          <button type="button" class="secondary outline" onClick={() => dialog.current?.close()}>
            Change nothing
          </button>
          <button type="button" aria-busy={busy.value} disabled={busy.value} onClick={set}>
            {busy.value && decided.value > 0
              ? `${count(decided.value)} of ${counted(changes.length, 'price')}`
              : `Set ${counted(changes.length, 'price')}`}
          </button>
        </footer>
      </article>
    </dialog>
  )
}
