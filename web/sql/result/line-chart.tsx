import { useSignal } from '@preact/signals'
import { Chart } from '../../charts/chart.tsx'
import { useOwnZoom } from '../../charts/own-zoom.ts'
import type { ChartSpec } from '../../charts/spec.ts'
import type { Span } from '../../view.ts'

/** A result along time or numbers. A drag zooms, a double click goes back; names in the legend show and hide. */
export function LineChart({ spec, height }: { spec: ChartSpec; height: number }) {
  const hidden = useSignal<string[]>([])
  const zoom = useOwnZoom(spec.title, wholeOf(spec))

  function toggle(group: string): void {
    const { value } = hidden
    hidden.value = value.includes(group) ? value.filter((name) => name !== group) : [...value, group]
  }

  return (
    <div class="line-chart">
      <Chart spec={spec} {...zoom} height={height} hidden={hidden.value} onToggle={toggle} />
    </div>
  )
}

/** The range from the first place to the last, with a margin for points at the edges of numbers. */
function wholeOf({ axis, places }: ChartSpec): Span {
  const first = places[0] ?? 0
  const last = places.at(-1) ?? first
  if (!axis) return { from: first, to: Math.max(last, first + 60) }
  const edge = (last - first) * 0.02 || 1
  return { from: first - edge, to: last + edge }
}
