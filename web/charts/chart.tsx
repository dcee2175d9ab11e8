import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { onDemand } from '../components/on-demand.tsx'
import { nothing } from '../format.ts'
import { pointAt } from './crosshair.ts'
import { onChartKey, quarterAround } from './keyboard.ts'
import { Legend } from './legend.tsx'
import { ChartMenu } from './menu.tsx'
import { useOnPage } from './on-page.ts'
import { type ChartSpec, figuresOf, groupsOf, placeOf } from './spec.ts'
import { Title } from './title.tsx'
import { useDrawing } from './use-drawing.ts'

// Loaded on demand, since few visits need it.
const ChartTable = onDemand(async () => (await import('./table.tsx')).ChartTable)
// The legend shows the same, also if the script is gone, as after an update.
const Tip = onDemand(
  async () => (await import('./tip.tsx')).Tip,
  null,
  () => null,
)
const ignore = () => {}

export interface ChartProps {
  spec: ChartSpec
  /** The range of the x-axis. */
  from: number
  to: number
  height?: number | undefined
  small?: boolean
  /** True while the figures are being read: the chart keeps its place. */
  waiting?: boolean
  /** The text in the plot if there is nothing to draw. */
  empty?: string
  /** The name of the chart on the page: an address with # and this name opens the page at the chart. */
  anchor?: string
  /** The link of the title. Default: the chart itself. */
  href?: string
  hidden?: readonly string[]
  onToggle?: (group: string) => void
  onZoom?: (from: number, to: number) => void
  onBack?: () => void
  /** The request for the figures, as a command for a terminal. */
  curl?: string
  /** The address of the form for an alert rule on this chart. */
  alertHref?: string | undefined
  /** Opens the dialog that shares the chart. */
  onShare?: () => void
}

const nothingHidden: readonly string[] = []
const usualHeight = 250

/** A chart with its legend, menu and table. All charts over time on the page share one crosshair. */
export function Chart(props: ChartProps) {
  const { spec, from, to, small = false, hidden = nothingHidden, onZoom = ignore, onBack = ignore } = props
  const { height = usualHeight, waiting = false, empty = 'Nothing in this range.', anchor } = props
  // Times are whole seconds.
  const zoom = (left: number, right: number) =>
    spec.axis ? onZoom(left, right) : onZoom(Math.floor(left), Math.ceil(right))
  const { frame, plot, cursor } = useDrawing({ ...props, height, small, hidden, onZoom: zoom })
  const figure = useRef<HTMLElement>(null)
  // Runs before the first paint, so that nothing moves visibly.
  useLayoutEffect(() => {
    if (anchor && location.hash === `#${anchor}`) figure.current?.scrollIntoView()
  }, [])
  const showsTable = useSignal(false)
  const shown = useMemo(
    () => ({ ...spec, series: spec.series.filter(({ group }) => !hidden.includes(group)) }),
    [spec, hidden],
  )

  const drawn = { spec: shown, hidden, from, to, height, small }
  useOnPage(figure, drawn)

  /** Moves the crosshair to a bucket, or away. */
  function point(index: number | null): void {
    if (plot.current) pointAt(plot.current, index === null ? undefined : spec.places[index])
  }
  const onKeyDown = (event: KeyboardEvent) =>
    onChartKey(event, {
      length: spec.places.length,
      cursor: cursor.value,
      point,
      zoomIn: (index) => zoom(...quarterAround(spec.places[index] ?? from, from, to)),
      zoomOut: onBack,
    })

  return (
    <figure ref={figure} id={anchor} class={small ? 'chart small' : 'chart'} aria-busy={waiting}>
      <figcaption>
        <Title text={spec.title} anchor={anchor} href={props.href} /> <span class="quiet">{spec.unit}</span>
        <ChartMenu
          drawing={drawn}
          showsTable={showsTable}
          anchor={anchor}
          curl={props.curl}
          alertHref={props.alertHref}
          onShare={props.onShare}
        />
      </figcaption>
      <Legend spec={spec} hidden={hidden} at={cursor.value} onToggle={props.onToggle} />
      <div class="field">
        <div
          class="plot"
          ref={frame}
          style={{ height: `${height}px` }}
          onDblClick={onBack}
          onKeyDown={onKeyDown}
          onBlur={() => point(null)}
          role="slider"
          tabIndex={0}
          aria-label={`${spec.title}: ${spec.axis ?? 'time'}`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, spec.places.length - 1)}
          aria-valuenow={cursor.value ?? Math.max(0, spec.places.length - 1)}
          aria-valuetext={spoken(shown, cursor.value ?? spec.places.length - 1)}
        />
        {!small && cursor.value !== null && <Tip spec={shown} plot={plot.current} at={cursor.value} />}
        {spec.places.length === 0 && !waiting && <p class="empty">{empty}</p>}
      </div>
      <div class="below">
        {spec.note && !small && <p class="note">{spec.note}</p>}
        {showsTable.value && <ChartTable spec={shown} />}
      </div>
    </figure>
  )
}

/** The figures under the crosshair, in words. */
function spoken(spec: ChartSpec, index: number): string {
  const place = spec.places[index]
  if (place === undefined) return 'no snapshots'
  const figures = groupsOf(spec).map(
    (group) => `${group} ${figuresOf(spec, group, index).replaceAll(nothing, 'none')}`,
  )
  return `${placeOf(spec, place)}: ${figures.join(', ')}`
}
