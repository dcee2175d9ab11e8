import { useSignal } from '@preact/signals'
import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { ChartMenuProps } from './actions.tsx'

// Most visits take no figures away.
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
