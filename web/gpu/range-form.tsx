import { type Signal, useSignal } from '@preact/signals'
import type { Zone } from '../format.ts'
import type { Span } from '../view.ts'

/** A time as <input type="datetime-local"> has it, without a zone. */
function fieldOf(seconds: number, zone: Zone): string {
  const offset = zone === 'utc' ? 0 : new Date(seconds * 1000).getTimezoneOffset() * 60
  return new Date((seconds - offset) * 1000).toISOString().slice(0, 16)
}

const secondsOf = (field: string, zone: Zone): number =>
  new Date(zone === 'utc' ? `${field}Z` : field).getTime() / 1000

interface RangeFormProps {
  span: Span
  zone: Zone
  onChoose: (from: number, to: number) => void
}

/** The form for a range with chosen ends. */
export function RangeForm({ span, zone, onChoose }: RangeFormProps) {
  // The ends when the form was opened: typed text stays while the charts are refreshed.
  const start = useSignal(fieldOf(span.from, zone))
  const end = useSignal(fieldOf(span.to, zone))
  const problem = useSignal('')

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const [from, to] = [secondsOf(start.value, zone), secondsOf(end.value, zone)]
    if (from < to) onChoose(from, to)
    else problem.value = 'The start must be before the end.'
  }

  return (
    <form onSubmit={submit}>
      <TimeField label="From" text={start} />
      <TimeField label="To" text={end} />
      <p class="note">{zone === 'utc' ? 'In UTC.' : 'In your time zone.'}</p>
      <output>{problem.value}</output>
      <button type="submit">Show</button>
    </form>
  )
}

function TimeField({ label, text }: { label: string; text: Signal<string> }) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        required
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
      />
    </label>
  )
}
