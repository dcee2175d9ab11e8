import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { nothing } from '../format.ts'
import { pointAt } from './draw.ts'
import { onChartKey, quarterAround } from './keyboard.ts'
import { Legend } from './legend.tsx'
import { ChartMenu } from './menu.tsx'
import { type ChartSpec, timeOf, units } from './spec.ts'
import { ChartTable } from './table.tsx'
import { useDrawing } from './use-drawing.ts'

const ignore = () => {}

export interface ChartProps {
  spec: ChartSpec
  /** What the time axis shows, unix seconds. */
  from: number
  to: number
  height?: number
  small?: boolean
  /** Where its title leads. */
  href?: string
  hidden?: readonly string[]
  onToggle?: (group: string) => void
  onZoom?: (from: number, to: number) => void
  onBack?: () => void
  /** The question behind it, for a terminal. */
  curl?: string
}

const nothingHidden: readonly string[] = []

/** A chart over time with its legend, menu and table. Its crosshair is that of all charts on the page. */
export function Chart(props: ChartProps) {
  const { spec, from, to, small = false, hidden = nothingHidden, onZoom = ignore, onBack = ignore } = props
  const { frame, plot, cursor } = useDrawing({ height: 260, ...props, small, hidden, onZoom })
  const showsTable = useSignal(false)
  const shown = { ...spec, series: spec.series.filter(({ group }) => !hidden.includes(group)) }

  /** Moves the crosshair to a bucket, or away. */
  function point(index: number | null): void {
    if (plot.current) pointAt(plot.current, index === null ? undefined : spec.times[index])
  }
  const onKeyDown = (event: KeyboardEvent) =>
    onChartKey(event, {
      length: spec.times.length,
      cursor: cursor.value,
      point,
      zoomIn: (index) => onZoom(...quarterAround(spec.times[index] ?? from, from, to)),
      zoomOut: onBack,
    })

  return (
    <figure class={small ? 'chart small' : 'chart'}>
      <figcaption>
        <span class="title">{props.href ? <Link href={props.href}>{spec.title}</Link> : spec.title}</span>{' '}
        <span class="quiet">{spec.unit}</span>
        {!small && <ChartMenu spec={shown} plot={plot} showsTable={showsTable} curl={props.curl} />}
      </figcaption>
      <Legend spec={spec} hidden={hidden} at={cursor.value} onToggle={props.onToggle} />
      <div
        class="plot"
        ref={frame}
        onDblClick={onBack}
        onKeyDown={onKeyDown}
        onBlur={() => point(null)}
        role="slider"
        tabIndex={0}
        aria-label={`${spec.title}: time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, spec.times.length - 1)}
        aria-valuenow={cursor.value ?? Math.max(0, spec.times.length - 1)}
        aria-valuetext={spoken(shown, cursor.value ?? spec.times.length - 1)}
      />
      {spec.times.length === 0 && <p class="empty">Nothing in this range.</p>}
      {spec.note && !small && <p class="note">{spec.note}</p>}
      {showsTable.value && <ChartTable spec={shown} />}
    </figure>
  )
}

/** The figures under the crosshair, in words. */
function spoken(spec: ChartSpec, index: number): string {
  const time = spec.times[index]
  if (time === undefined) return 'no snapshots'
  const { write } = units[spec.unit]
  const figures = spec.series.map(
    ({ label, values }) => `${label} ${write(values[index]).replace(nothing, 'none')}`,
  )
  return `${timeOf(spec, time)}: ${figures.join(', ')}`
}
