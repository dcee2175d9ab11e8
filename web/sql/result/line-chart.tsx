import { useSignal } from '@preact/signals'
import { Chart } from '../../charts/chart.tsx'
import type { ChartSpec } from '../../charts/spec.ts'

/** A result over time. A drag zooms, a double click goes back; names in the legend show and hide. */
export function LineChart({ spec }: { spec: ChartSpec }) {
  const hidden = useSignal<string[]>([])
  const [first, last] = [spec.places[0] ?? 0, spec.places.at(-1) ?? 0]
  /** undefined: all of it. */
  const zoom = useSignal<[number, number]>()
  const [from, to] = zoom.value ?? [first, Math.max(last, first + 60)]

  function toggle(group: string): void {
    const { value } = hidden
    hidden.value = value.includes(group) ? value.filter((name) => name !== group) : [...value, group]
  }

  return (
    <div class="line-chart">
      <Chart
        spec={spec}
        from={from}
        to={to}
        height={320}
        hidden={hidden.value}
        onToggle={toggle}
        onZoom={(left, right) => {
          zoom.value = [left, right]
        }}
        onBack={() => {
          zoom.value = undefined
        }}
      />
    </div>
  )
}
