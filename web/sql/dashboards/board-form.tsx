import { useSignal } from '@preact/signals'
import { dashboardLimits } from '../../../contract/dashboard-limits.ts'
import type { Dashboard, DashboardPanel } from '../../../contract/dashboards.ts'
import { toError } from '../../../contract/failure.ts'
import { useDashboardActions } from './api.ts'

interface BoardFormProps {
  board: Dashboard
  onDone: () => void
}

/** The form for the names and the order of a dashboard's panels. */
export function BoardForm({ board: { id, name: before, panels: former, revision }, onDone }: BoardFormProps) {
  const { change } = useDashboardActions()
  const name = useSignal(before)
  const panels = useSignal<readonly DashboardPanel[]>(former)
  const failure = useSignal('')
  const { value: list } = panels

  function rename(at: number, to: string): void {
    panels.value = list.map((panel, index) => (index === at ? { ...panel, name: to } : panel))
  }
  function lift(at: number): void {
    const [above, lifted] = [list[at - 1], list[at]]
    if (above && lifted) panels.value = [...list.slice(0, at - 1), lifted, above, ...list.slice(at + 1)]
  }
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      await change(id, { name: name.value, panels: list, revision })
      onDone()
    } catch (error) {
      failure.value = toError(error).message
    }
  }

  return (
    <form class="board-form" onSubmit={submit} aria-label="Change the dashboard">
      <NameField label="Name" value={name.value} onInput={(text) => (name.value = text)} />
      <ol>
        {list.map((panel, index) => (
          <li key={index}>
            <NameField
              label={`Result ${index + 1}`}
              value={panel.name}
              onInput={(text) => rename(index, text)}
            />
            <button
              type="button"
              class="small"
              disabled={index === 0}
              aria-label={`Move up: ${panel.name}`}
              onClick={() => lift(index)}
            >
              ↑
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Remove: ${panel.name}`}
              onClick={() => (panels.value = list.filter((_panel, at) => at !== index))}
            >
              ✕
            </button>
          </li>
        ))}
      </ol>
      {failure.value && <p role="alert">{failure.value}</p>}
      <div class="bar">
        <button type="submit">Save</button>
        <button type="button" class="small" onClick={onDone}>
          Cancel
        </button>
        <span class="note">
          To change a statement, open it in the console and add it again under the same name.
        </span>
      </div>
    </form>
  )
}

interface NameFieldProps {
  label: string
  value: string
  onInput: (text: string) => void
}

const NameField = ({ label, value, onInput }: NameFieldProps) => (
  <label>
    {label}
    <input
      required
      maxLength={dashboardLimits.name}
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </label>
)
