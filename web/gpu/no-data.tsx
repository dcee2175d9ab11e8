import type { ComponentChildren } from 'preact'
import { everyMachine, filtersInForce } from '../../contract/market-filter.ts'
import type { History } from '../api/history.ts'
import { day } from '../format.ts'
import type { Span, View } from '../view.ts'

interface NoDataProps {
  view: View
  change: (changes: Partial<View>) => void
  history: History
  /** The GPUs to show. */
  names: readonly string[]
  /** The range with data of them. */
  data: Span | undefined
}

/** The reason why there is nothing to draw, with the step that fixes it. */
export function NoData({ view, change, history, names, data }: NoDataProps) {
  if (!data) return <Empty>The market has never had a GPU called {names.join(', ')}.</Empty>
  if (data.to < history.start || data.from >= history.end) {
    const length = history.end - history.start
    const hasEnded = data.to < history.start
    const from = hasEnded ? Math.max(data.from, data.to - length) : data.from
    const to = hasEnded ? data.to + 1 : Math.min(data.to + 1, data.from + length)
    return (
      <Empty action="Show it" onAct={() => change({ range: 'custom', from, to, step: 0 })}>
        {hasEnded ? `Data ends ${day(data.to)}.` : `Data begins ${day(data.from)}.`}
      </Empty>
    )
  }
  if (filtersInForce(view).length > 0)
    return (
      <Empty action="Remove the filters" onAct={() => change(everyMachine)}>
        No machine in this range matches the filters.
      </Empty>
    )
  return <Empty>No snapshot in this range.</Empty>
}

interface EmptyProps {
  action?: string
  onAct?: () => void
  children: ComponentChildren
}

const Empty = ({ action, onAct, children }: EmptyProps) => (
  <p class="no-data" role="status">
    {children}{' '}
    {action && (
      <button type="button" class="secondary outline" onClick={onAct}>
        {action}
      </button>
    )}
  </p>
)
