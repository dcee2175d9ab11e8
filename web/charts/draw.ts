import uPlot from 'uplot'
import { chartPaints, seriesPaint } from './palette.ts'
import { type ChartSeries, type ChartSpec, units, type Value } from './spec.ts'

export interface Drawing {
  spec: ChartSpec
  hidden: readonly string[]
  /** What the time axis shows, unix seconds. */
  from: number
  to: number
  height: number
  /** Without axes' room and interaction by drag: one of many. */
  small: boolean
  onCursor: (index: number | null) => void
  onZoom: (from: number, to: number) => void
}

// [at least this many seconds between ticks, text, text when the year, month, day, … turns, …, mode]: see uPlot's Axis.Values.
const timeTexts: uPlot.Axis.Values = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
]

/** Draws a chart into an element. The caller destroys it. */
export function draw(target: HTMLElement, drawing: Drawing): uPlot {
  const { spec, small } = drawing
  const visible = spec.series.filter(({ group }) => !drawing.hidden.includes(group))
  const unit = units[spec.unit]
  const { quiet, grid } = chartPaints()
  const axis = {
    stroke: quiet,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    font: '12px system-ui',
  }

  const options: uPlot.Options = {
    width: Math.max(200, target.clientWidth),
    height: drawing.height,
    legend: { show: false },
    padding: [8, 24, 0, 0],
    // Days are days of UTC, whatever the zone.
    ...((spec.zone === 'utc' || spec.daily) && {
      tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    }),
    cursor: {
      y: false,
      drag: { x: !small, y: false, setScale: false },
      points: { size: 6 },
      sync: {
        key: 'page',
        scales: ['x', null],
        // All charts share the crosshair; only the dragged one zooms.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
    },
    scales: {
      x: { time: true, range: [drawing.from, drawing.to] },
      y: { range: (_plot, low, high) => rangeOf(unit.from, unit.to, low, high) },
    },
    axes: [
      { ...axis, values: timeTexts, space: small ? 70 : 60 },
      {
        ...axis,
        size: (_plot, texts) => 20 + 7 * Math.max(3, ...(texts ?? []).map((text) => text.length)),
        values: (_plot, ticks, _axis, _space, apart) =>
          ticks.map((tick) => (unit.tick ?? unit.write)(tick, apart)),
        space: small ? 30 : 40,
      },
    ],
    series: [{}, ...visible.map(lineOf)],
    bands: [...bandsOf(visible), ...layersOf(visible)],
    hooks: {
      setCursor: [({ cursor }) => drawing.onCursor(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4) return
          // The buckets under the mouse are about to change.
          pointAt(plot, undefined)
          drawing.onZoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
        },
      ],
    },
  }
  return new uPlot(options, [spec.times, ...valuesDrawn(visible)], target)
}

/** Moves the crosshair of a chart, and with it that of all charts on the page, to a time, or away. */
export function pointAt(plot: uPlot, time: number | undefined): void {
  // The first bucket may begin before the axis does; below 0 there is no crosshair.
  const left = time === undefined ? -10 : Math.max(0, plot.valToPos(time, 'x'))
  // uPlot's own parameter for telling the others, which its types leave out.
  const setCursor: (at: { left: number; top: number }, fire: boolean, tell: boolean) => void = plot.setCursor
  setCursor({ left, top: 0 }, true, true)
}

/** Layers are drawn on top of each other, the last one on the ground. */
function valuesDrawn(visible: readonly ChartSeries[]): Value[][] {
  return visible.map(({ role, values }, index) => {
    if (role !== 'layer') return values
    const below = visible.slice(index + 1).filter((other) => other.role === 'layer')
    return values.map((value, at) =>
      value === null ? null : below.reduce((sum, layer) => sum + (layer.values[at] ?? 0), value),
    )
  })
}

function lineOf({ color, role, dashed }: ChartSeries): uPlot.Series {
  const stroke = seriesPaint(color)
  const isEdge = role === 'low' || role === 'high'
  return {
    stroke: isEdge ? `${stroke}66` : stroke,
    width: isEdge ? 1 : 2,
    ...(dashed && { dash: [6, 4] }),
    // The layer on the ground has nothing below it that a band could reach to.
    ...(role === 'layer' && { fill: `${stroke}55` }),
    spanGaps: false,
    // A bucket between two gaps has no line to be seen by.
    points: { show: true, size: 4, fill: stroke, filter: aloneIn },
  }
}

const aloneIn: uPlot.Series.Points.Filter = (plot, seriesIndex) => {
  const values = plot.data[seriesIndex] ?? []
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined
  return Array.from(values, (_value, index) => index).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  )
}

/** Between the edges of each group. */
function bandsOf(visible: readonly ChartSeries[]): uPlot.Band[] {
  return visible.flatMap(({ role, group, color }, index) => {
    if (role !== 'high') return []
    const low = visible.findIndex((other) => other.role === 'low' && other.group === group)
    return low < 0 ? [] : [{ series: [index + 1, low + 1], fill: `${seriesPaint(color)}26` } as uPlot.Band]
  })
}

/** Between each layer and the one below. */
function layersOf(visible: readonly ChartSeries[]): uPlot.Band[] {
  return visible.flatMap(({ role, color }, index) =>
    role === 'layer' && visible[index + 1]?.role === 'layer'
      ? [{ series: [index + 1, index + 2], fill: `${seriesPaint(color)}55` } as uPlot.Band]
      : [],
  )
}

function rangeOf(
  from: number | undefined,
  to: number | undefined,
  low: Value,
  high: Value,
): uPlot.Range.MinMax {
  if (low === null || high === null) return [from ?? 0, to ?? 1]
  const [nicely, above] = uPlot.rangeNum(Math.min(low, from ?? low), Math.max(high, to ?? high), 0.08, true)
  return [from ?? Math.max(0, nicely ?? 0), to ?? above ?? 1]
}
