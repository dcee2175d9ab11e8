import { useSignal } from '@preact/signals'
import type { RefObject, TargetedSubmitEvent } from 'preact'
import { Link } from 'wouter-preact'
import { dashboardLimits as limits } from '../../../contract/dashboard-limits.ts'
import type { DashboardPanel } from '../../../contract/dashboards.ts'
import { toError } from '../../../contract/failure.ts'
import { pages } from '../../../contract/pages.ts'
import { useSaved } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { useDashboardActions, useDashboards } from '../dashboards/api.ts'
import { chartFor } from '../result/chart-choice.ts'

interface DashboardDialogProps {
  dialog: RefObject<HTMLDialogElement>
  desk: SqlConsole
}

/** Adds the statement with its values, and the chart that it is shown as, to a dashboard. */
export function DashboardDialog({ dialog, desk }: DashboardDialogProps) {
  const { data: boards } = useDashboards()
  const { failure, added, add } = useAdding(desk)
  const chosen = useSignal('')
  const saved = useSaved().data?.find(({ query }) => query.trim() === desk.text.value.trim())

  return (
    <dialog ref={dialog} aria-labelledby="add-title" onClose={() => (added.value = undefined)}>
      <article>
        <h2 id="add-title">Add to a dashboard</h2>
        <form onSubmit={add}>
          <label>
            Dashboard
            <select
              name="id"
              value={chosen.value}
              onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
            >
              <option value="">A new one</option>
              {boards?.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {chosen.value === '' && (
            <label>
              Name of the dashboard
              <input name="board" required maxLength={limits.name} autocomplete="off" />
            </label>
          )}
          <label>
            Name of the result
            <input
              key={saved?.id}
              name="panel"
              required
              maxLength={limits.name}
              autocomplete="off"
              defaultValue={saved?.name.slice(0, limits.name)}
            />
          </label>
          <small role={failure.value ? 'alert' : 'status'}>
            {failure.value ||
              (added.value === undefined ? (
                `Shown as a ${chartOn(desk) ? 'chart' : 'table'} to all admins. Replaces the result of the same name.`
              ) : (
                <>
                  Added. <Link href={`${pages.dashboards}?id=${added.value}`}>Open the dashboard</Link>
                </>
              ))}
          </small>
          <div class="bar">
            <span class="spring" />
            <button type="button" class="small" onClick={() => dialog.current?.close()}>
              Close
            </button>
            <button type="submit">Add</button>
          </div>
        </form>
      </article>
    </dialog>
  )
}

function useAdding(desk: SqlConsole) {
  const { read, create, change } = useDashboardActions()
  const failure = useSignal('')
  /** The dashboard that the statement was added to. */
  const added = useSignal<number>()

  async function put(board: { id: string; name: string }, panel: DashboardPanel): Promise<number> {
    if (board.id === '') return create({ name: board.name, panels: [panel] })
    const { id, name, panels, revision } = await read(Number(board.id))
    await change(id, { name, panels: withPanel(panels, panel), revision })
    return id
  }
  async function add(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (field: string) => String(form.get(field) ?? '').trim()
    failure.value = ''
    added.value = undefined
    try {
      added.value = await put(
        { id: text('id'), name: text('board') },
        {
          name: text('panel'),
          query: desk.statement.value.text,
          params: desk.params.value as DashboardPanel['params'],
          chart: chartOn(desk),
        },
      )
    } catch (error) {
      failure.value = toError(error).message
    }
  }
  return { failure, added, add }
}

/** The chart that the result of the statement is shown as now; null: it is a table. */
function chartOn({ execution, statement, wantsChart, chart }: SqlConsole) {
  const { value: shown } = execution
  const isOwn = shown?.question.query === statement.value.text
  return (isOwn && wantsChart.value && chartFor(chart.value, shown.answer.columns)) || null
}

function withPanel(panels: readonly DashboardPanel[], panel: DashboardPanel): DashboardPanel[] {
  const at = panels.findIndex(({ name }) => name === panel.name)
  if (at >= 0) return panels.map((other, index) => (index === at ? panel : other))
  if (panels.length >= limits.panels)
    throw new Error(
      `This dashboard has ${limits.panels} results already. Choose another one, or remove a result.`,
    )
  return [...panels, panel]
}
