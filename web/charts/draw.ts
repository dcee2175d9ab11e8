import uPlot from 'uplot'
import { present } from '../clock.ts'
import { pointAt } from './crosshair.ts'
import { drawEnds, endLabels, roomOf } from './ends.ts'
import { chartFont, drawEvents, drawMarks, roomForMarks } from './paint.ts'
import { chartPaints, seriesPaint } from './palette.ts'
import { axes, type ChartSeries, type ChartSpec, units, type Value } from './spec.ts'
import { inOwnZone, inUtc, timeLabels, timeTicks } from './time-axis.ts'

export interface Drawing {
  spec: ChartSpec
  hidden: readonly string[]
  /** The range of the x-axis. */
  from: number
  to: number
  height: number
  /** Default: the width of the element. */
  width?: number
  /** Scale of everything compared with the page. Default: 1. */
  scale?: number
  /** A small chart among many: without room for axes, and without zoom by drag. */
  small: boolean
  onCursor: (index: number | null) => void
  onZoom: (from: number, to: number) => void
}

/** Draws a chart into an element. The caller destroys it. */
export function draw(target: HTMLElement, drawing: Drawing): uPlot {
  const { spec, small, scale = 1, width = Math.max(200, target.clientWidth) } = drawing
  const visible = spec.series.filter(({ group }) => !drawing.hidden.includes(group))
  const { quiet, grid } = chartPaints()
  const axis = {
    stroke: quiet,
    grid: { show: false },
    ticks: { show: false },
    font: chartFont(11 * scale),
    gap: 8 * scale,
  }
  const unit = units[spec.unit]
  const ends = small || width / scale < 400 ? [] : endLabels(spec, visible)
  const marks = spec.marks ?? []
  const lines = marks.filter(({ isEvent, place }) => !isEvent && place >= drawing.from && place <= drawing.to)
  const across = spec.axis && axes[spec.axis]
  // Days are days of UTC, whatever the zone.
  const offsetAt = spec.zone === 'utc' || spec.daily ? inUtc : inOwnZone
  const options: uPlot.Options = {
    width,
    height: drawing.height,
    legend: { show: false },
    padding: [(8 + roomForMarks(lines.length)) * scale, 24 * scale, 0, 0],
    cursor: cursorOf(drawing, visible.length),
    focus: { alpha: 0.2 },
    scales: {
      x: { time: !across, range: [drawing.from, drawing.to] },
      y: { range: (_plot, low, high) => heightOf(visible) ?? rangeOf(unit, low, high) },
    },
    axes: [
      {
        ...axis,
        ...(!across && { splits: (...[, , from, to, apart]) => timeTicks(from, to, apart, offsetAt) }),
        values: (...[, ticks, , , apart]) =>
          across
            ? ticks.map((tick) => across.tick(tick, apart))
            : timeLabels(ticks, apart, offsetAt, present()),
        // A wide chart has a label for each day rather than two.
        space: (small ? 70 : width / scale < 700 ? 60 : 90) * scale,
        size: 40 * scale,
        lineGap: 1.5,
      },
      {
        ...axis,
        grid: { stroke: grid, width: scale },
        // One width for usual figures, so that stacked charts are aligned.
        size: (_plot, texts) =>
          Math.max(52, 14 + 6.5 * Math.max(...(texts ?? ['']).map((text) => text.length))) * scale,
        values: (...[, ticks, , , apart]) => ticks.map((tick) => (unit.tick ?? unit.write)(tick, apart)),
        space: (small ? 30 : 40) * scale,
      },
    ],
    series: [{}, ...visible.map((series, index) => lineOf(series, index, visible, scale))],
    bands: [...bandsOf(visible), ...layersOf(visible)],
    hooks: {
      drawAxes: [(plot) => spec.behind?.(plot, visible)],
      draw: [
        (plot) => drawMarks(plot, lines, scale),
        (plot) =>
          drawEvents(
            plot,
            marks.filter(({ isEvent }) => isEvent),
            scale,
            spec.areWarnings,
          ),
        (plot) => drawEnds(plot, ends, scale),
      ],
      setCursor: [({ cursor }) => drawing.onCursor(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4) return
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          // The buckets under the mouse are about to change.
          pointAt(plot, undefined)
          drawing.onZoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
        },
      ],
    },
  }
  // Beside the last values there is room for their names.
  if (ends.length > 0)
    options.padding = [(12 + roomForMarks(lines.length)) * scale, roomOf(ends) * scale, 0, 0]
  const plot = new uPlot(options, [spec.places, ...valuesDrawn(visible)], target)
  // Loaded after the drawing, and only where fingers are.
  if (!small && matchMedia('(any-pointer: coarse)').matches)
    import('./touch.ts').then(
      ({ selectByTouch }) => selectByTouch(plot),
      () => {},
    )
  return plot
}

/** With more lines than this, the others are faded beside the one under the pointer. */
const mostEqual = 6

/** All charts over time share the crosshair; only the dragged one zooms. */
const cursorOf = ({ spec, small }: Drawing, lines: number): uPlot.Cursor => ({
  y: false,
  // Among many lines the one under the pointer stands out.
  ...(lines > mostEqual && { focus: { prox: 24 } }),
  drag: { x: !small, y: false, setScale: false },
  points: { size: 6 },
  ...(!spec.axis && {
    sync: {
      key: 'page',
      scales: ['x', null],
      filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
    },
  }),
})

/** Layers are drawn on top of each other, the first one on the ground. */
function valuesDrawn(visible: readonly ChartSeries[]): Value[][] {
  return visible.map(({ role, values }, index) => {
    if (role !== 'layer') return values
    const below = visible.slice(0, index).filter((other) => other.role === 'layer')
    return values.map((value, at) =>
      value === null ? null : below.reduce((sum, layer) => sum + (layer.values[at] ?? 0), value),
    )
  })
}

function lineOf(
  { color, role, dashed, group }: ChartSeries,
  index: number,
  all: readonly ChartSeries[],
  scale: number,
): uPlot.Series {
  if (role === 'cells') return { show: false }
  const stroke = seriesPaint(color)
  const isEdge = role === 'low' || role === 'high'
  const isFilled = bandFilled(all) === group
  return {
    // The edges of a band are visible as the ends of its fill. Edges of further groups would only hide the medians.
    show: !isEdge || isFilled,
    stroke: isEdge ? 'transparent' : stroke,
    width: (isEdge ? 0 : color === 'available' ? 1.25 : dashed ? 1.5 : 2.25) * scale,
    ...(dashed && { dash: [5 * scale, 4 * scale] }),
    ...(role === 'points' && { paths: () => null }),
    ...(role === 'step' && { paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder }),
    // The lowest layer has no layer below for its band.
    ...(role === 'layer' && all[index - 1]?.role !== 'layer' && { fill: `${stroke}55` }),
    spanGaps: false,
    // A bucket between two gaps has no line, so it gets a point.
    points:
      role === 'points'
        ? { show: true, size: 6 * scale, fill: `${stroke}99` }
        : { show: role !== 'step', size: 4 * scale, fill: stroke, filter: aloneIn },
  }
}

const aloneIn: uPlot.Series.Points.Filter = (plot, seriesIndex) => {
  const values = plot.data[seriesIndex] ?? []
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined
  return Array.from(values, (_value, index) => index).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  )
}

/** The group whose band is filled: the first. Two translucent bands over each other are grey, so the others have outlines. */
const bandFilled = (visible: readonly ChartSeries[]) => visible.find(({ role }) => role === 'high')?.group

/** Between the edges of the first group that has any. */
function bandsOf(visible: readonly ChartSeries[]): uPlot.Band[] {
  const group = bandFilled(visible)
  const edge = (role: 'low' | 'high') =>
    visible.findIndex((series) => series.group === group && series.role === role)
  const [low, high] = [edge('low'), edge('high')]
  if (low < 0 || high < 0) return []
  return [{ series: [high + 1, low + 1], fill: `${seriesPaint(visible[high]?.color ?? 0)}26` }]
}

/** Between each layer and the one below. */
function layersOf(visible: readonly ChartSeries[]): uPlot.Band[] {
  return visible.flatMap(({ role, color }, index) =>
    role === 'layer' && visible[index - 1]?.role === 'layer'
      ? [{ series: [index + 1, index], fill: `${seriesPaint(color)}55` } as uPlot.Band]
      : [],
  )
}

/** The range from the lowest to the highest edge of a heat map; undefined: the chart is no heat map. */
function heightOf(visible: readonly ChartSeries[]): uPlot.Range.MinMax | undefined {
  const rows = visible.filter(({ role }) => role === 'cells')
  const [low, high] = [rows[0]?.low, rows.at(-1)?.high]
  return low === undefined || high === undefined ? undefined : [low, high]
}

/** The range of an axis, fitted to the data. A count begins at 0, and no share is above 1. */
function rangeOf(
  { from, most }: (typeof units)[keyof typeof units],
  low: Value,
  high: Value,
): uPlot.Range.MinMax {
  if (low === null || high === null) return [from ?? 0, most ?? 1]
  const [nicely, above = 1] = uPlot.rangeNum(Math.min(low, from ?? low), high, 0.08, true)
  return [
    from ?? (low < 0 ? (nicely ?? low) : Math.max(0, nicely ?? 0)),
    Math.min(above ?? 1, most ?? Number.POSITIVE_INFINITY),
  ]
}
