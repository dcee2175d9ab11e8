import { useSignal } from '@preact/signals'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { dateTime } from '../format.ts'
import { useActions } from './api.ts'
import { decisionWords, priceWords } from './words.ts'

/** Every decision with its reason; the last change of a machine can be undone. */
export function Ledger({ decisions }: { decisions: readonly AutopilotDecision[] }) {
  const { undo } = useActions()
  const said = useSignal('')
  const machineOf = ({ source, machine_id }: AutopilotDecision) => `${source ?? ''} ${machine_id}`
  const last = new Map<string, string>()
  for (const one of decisions)
    if (one.state === 'read_back' && !last.has(machineOf(one))) last.set(machineOf(one), one.id)
  const undoOne = (id: string) =>
    undo(id).then(
      ({ decision }) => {
        said.value = `${decisionWords(decision)}. ${decision.reason}`
      },
      (error: Error) => {
        said.value = error.message
      },
    )
  return (
    <section aria-labelledby="ledger">
      <h2 id="ledger">History of changes</h2>
      <output aria-live="polite">{said.value}</output>
      {decisions.length === 0 && <p class="quiet">No price was changed yet.</p>}
      <ul class="said">
        {decisions.map((one) => (
          <li key={one.id}>
            <time dateTime={new Date(one.created_at * 1000).toISOString()}>{dateTime(one.created_at)}</time>{' '}
            <strong>
              {decisionWords(one)}: machine {one.machine_id}
            </strong>{' '}
            <span class="quiet">{one.gpu_name}</span>
            {one.new_price !== null && ` ${priceWords(one.old_price)} → ${priceWords(one.new_price)}`}{' '}
            {last.get(machineOf(one)) === one.id && (
              <button
                type="button"
                class="secondary outline small"
                aria-label={`Undo: machine ${one.machine_id}`}
                onClick={() => undoOne(one.id)}
              >
                Undo
              </button>
            )}
            <div>{one.reason}</div>
            {one.answer && <div class="quiet">{one.answer}.</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}
