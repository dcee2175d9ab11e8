import { useSignal } from '@preact/signals'
import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { ChartMenuProps } from './actions.tsx'

// Loaded on demand, since most visits export nothing.
const ChartActions = onDemand(async () => (await import('./actions.tsx')).ChartActions)

/** The figures of a chart as a table, a file, a picture, a command, or a link. */
export function ChartMenu(props: ChartMenuProps) {
  const outcome = useSignal('')
  return (
    <span class="menu">
      <output class="quiet">{outcome.value}</output>
      <Dropdown label="⋯" name={`${props.drawing.spec.title}: actions`}>
        {(close) => <ChartActions {...props} outcome={outcome} onClose={close} />}
      </Dropdown>
    </span>
  )
}
