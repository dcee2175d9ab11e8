import './price-review.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { Pager } from '../components/pager.tsx'
import { CostsButton } from '../costs/costs-button.tsx'
import { change, count, counted, earned } from '../format.ts'
import { gainRange } from '../machines/gain-range.ts'
import { useActions } from './api.ts'
import { type PriceChange, requestsOf, resultLines } from './price-requests.ts'
import { priceWords } from './words.ts'

const rowsOfPage = 100

interface ReviewProps {
  changes: readonly PriceChange[]
  onClose: () => void
  onDone: (lines: string[]) => void
}

/** The dialog that lists each change with the limits that are checked, and sets the prices. */
export function PriceReviewDialog({ changes, onClose, onDone }: ReviewProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { apply } = useActions()
  const busy = useSignal(false)
  const decided = useSignal(0)
  const page = useSignal(1)
  const gain = changes.reduce((sum, one) => sum + (one.gain?.value ?? 0), 0)
  const hasReasons = changes.some(({ reason }) => reason)
  const unlimited = changes.filter(({ floor }) => floor === null)
  useEffect(() => dialog.current?.showModal(), [])
  async function set(): Promise<void> {
    busy.value = true
    const decisions: AutopilotDecision[] = []
    const errors: string[] = []
    const requests = requestsOf(changes)
    for (const request of requests) {
      await apply(request, request === requests.at(-1)).then(
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
        <h2 id="review-title">
          Set {counted(changes.length, 'price')}
          {gain > 0 && (
            <>
              : about <span class="good">{earned(gain)} a day more</span>
            </>
          )}
        </h2>
        <p class="quiet">For new rentals only. Present rentals keep their price.</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
        <section class="scrolls" tabIndex={0} aria-label="Chosen prices">
          <table>
            <thead>
              <tr>
                <th scope="col">Machine</th>
                <th scope="col">Now</th>
                <th scope="col">New</th>
                <th scope="col">Step</th>
                {gain > 0 ? (
                  <>
                    <th scope="col">More a day</th>
                    <th scope="col">Usual range</th>
                  </>
                ) : (
                  hasReasons && <th scope="col">Why</th>
                )}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ source, machine_id, gpu_name, num_gpus, from, price, ...one }) => (
                <tr key={`${source ?? ''} ${machine_id}`}>
                  <th scope="row">
                    {num_gpus && `${num_gpus}× `}
                    {gpu_name}
                    <span class="quiet">{machine_id}</span>
                  </th>
                  <td data-title="Now">{priceWords(from)}</td>
                  <td data-title="New">
                    <strong>{priceWords(price)}</strong>
                  </td>
                  <td data-title="Step">{change(price / from - 1)}</td>
                  {gain > 0 ? (
                    <>
                      <td data-title="More a day" class="good">
                        {one.gain && `+${earned(one.gain.value)}`}
                      </td>
                      <td data-title="Usual range" class="quiet">
                        {one.gain && gainRange(one.gain)}
                      </td>
                    </>
                  ) : (
                    hasReasons && <td class="why">{one.reason}</td>
                  )}
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
        <ul class="checks">
          <li>
            <Icon outline={outlines.check} />
            No price changes by more than 20 % at once
          </li>
          {unlimited.length === 0 ? (
            <li>
              <Icon outline={outlines.check} />
              No price is set below its lowest price
            </li>
          ) : (
            <li class="warn">
              <Icon outline={outlines.alert} />
              {unlimited.length === changes.length
                ? 'No lowest price is known from costs. Without one, no price is set.'
                : `${counted(unlimited.length, 'machine')} without a lowest price from costs: without one, no price is set.`}
              <CostsButton machine={0} />
            </li>
          )}
        </ul>
        <footer>
          <span class="quiet">History has an undo for each machine.</span>
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
