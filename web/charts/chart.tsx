import 'uplot/dist/uPlot.min.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { Link } from 'wouter-preact'
import { moment, nothing } from '../format.ts'
import { theme } from '../theme.ts'
import { draw, pointAt } from './draw.ts'
import { Legend } from './legend.tsx'
import { ChartMenu } from './menu.tsx'
import { type ChartSpec, units } from './spec.ts'
import { ChartTable } from './table.tsx'

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

/** A chart over time with its legend, menu and table. Its crosshair is that of all charts on the page. */
export function Chart(props: ChartProps) {
  const {
    spec,
    from,
    to,
    height = 260,
    small = false,
    hidden = [],
    onZoom = () => {},
    onBack = () => {},
  } = props
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>()
  const cursor = useSignal<number | null>(null)
  const held = useRef<number>()
  const showsTable = useSignal(false)
  const shown = { ...spec, series: spec.series.filter(({ group }) => !hidden.includes(group)) }
  const hiddenNames = hidden.join('\n')

  useEffect(() => {
    const target = frame.current
    if (!target) return
    const drawn = draw(target, {
      spec,
      hidden,
      theme: theme.value,
      from,
      to,
      height,
      small,
      onCursor: (index) => {
        cursor.value = index
      },
      onZoom: (left, right) => onZoom(Math.floor(left), Math.ceil(right)),
    })
    plot.current = drawn
    if (held.current !== undefined) pointAt(drawn, held.current)
    const observer = new ResizeObserver(() => {
      if (target.clientWidth > 0) drawn.setSize({ width: target.clientWidth, height })
    })
    observer.observe(target)
    return () => {
      observer.disconnect()
      drawn.destroy()
      // Where the crosshair was, for the drawing that comes next.
      held.current = cursor.value === null ? undefined : spec.times[cursor.value]
      cursor.value = null
    }
  }, [spec, hiddenNames, from, to, height, small, theme.value])

  /** Moves the crosshair to a bucket, or away. */
  function point(index: number | null): void {
    if (plot.current) pointAt(plot.current, index === null ? undefined : spec.times[index])
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return // the browser's own
    const last = spec.times.length - 1
    const at = cursor.value ?? last
    const leap = Math.max(1, Math.round(last / 10))
    const moves: Record<string, () => void> = {
      ArrowLeft: () => point(Math.max(0, cursor.value === null ? last : at - 1)),
      ArrowRight: () => point(Math.min(last, at + 1)),
      PageUp: () => point(Math.max(0, at - leap)),
      PageDown: () => point(Math.min(last, at + leap)),
      Home: () => point(0),
      End: () => point(last),
      '+': () => {
        const middle = spec.times[at] ?? from
        onZoom(Math.floor(middle - (to - from) / 8), Math.ceil(middle + (to - from) / 8))
      },
      '-': onBack,
      Escape: () => point(null),
    }
    const move = moves[event.key]
    if (!move || last < 0) return
    event.preventDefault()
    move()
  }

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

/** What the crosshair is at, in words. */
function spoken(spec: ChartSpec, index: number): string {
  const time = spec.times[index]
  if (time === undefined) return 'no snapshots'
  const { write } = units[spec.unit]
  const figures = spec.series.map(
    ({ label, values }) => `${label} ${write(values[index]).replace(nothing, 'none')}`,
  )
  return `${moment(time)}: ${figures.join(', ')}`
}
