import { type Signal, useSignal } from '@preact/signals'
import { Dropdown } from '../components/dropdown.tsx'
import { rangeOf, type View } from '../view.ts'

interface CustomRangeProps {
  view: View
  change: (changes: Partial<View>) => void
}

/** As <input type="datetime-local"> has it: in the visitor's time zone. */
const local = (seconds: number): string =>
  new Date((seconds - new Date(seconds * 1000).getTimezoneOffset() * 60) * 1000).toISOString().slice(0, 16)

/** A range by its ends. */
export function CustomRange({ view, change }: CustomRangeProps) {
  return (
    <Dropdown label="Custom" isChosen={view.range === 'custom'}>
      {(close) => (
        <RangeForm
          {...rangeOf(view)}
          onChoose={(from, to) => {
            close()
            change({ range: 'custom', from, to })
          }}
        />
      )}
    </Dropdown>
  )
}

interface RangeFormProps {
  from: number
  to: number
  onChoose: (from: number, to: number) => void
}

function RangeForm({ from, to, onChoose }: RangeFormProps) {
  // As they were when it was opened: what is typed stays while the charts are brought up to date.
  const start = useSignal(local(from))
  const end = useSignal(local(to))
  const said = useSignal('')

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const [given, until] = [start.value, end.value].map((text) => new Date(text).getTime() / 1000)
    if (given && until && given < until) onChoose(given, until)
    else said.value = 'The start must be before the end.'
  }

  return (
    <form onSubmit={submit}>
      <TimeField label="From" text={start} />
      <TimeField label="To" text={end} />
      <output>{said.value}</output>
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
