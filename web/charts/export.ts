import { present } from '../clock.ts'
import { csvRows, save } from '../files.ts'
import { draw } from './draw.ts'
import type { Drawn } from './on-page.ts'
import { chartFont } from './paint.ts'
import { chartPaints, seriesPaint } from './palette.ts'
import { axes, type ChartSpec, groupsOf, seriesOf } from './spec.ts'

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** The figures of a chart: the place, times in UTC, and a column per series; missing figures are empty. */
export const csvOf = ({ axis, places, series }: ChartSpec): string =>
  csvRows([
    [axis ? axes[axis].title : 'time', ...series.map(({ label }) => label)],
    ...places.map((place, index) => [
      axis ? place : iso(place),
      ...series.map(({ values }) => values[index] ?? null),
    ]),
  ])

/** The same as JSON: a list of points by the names of the series, missing figures null. */
export const jsonOf = ({
  title,
  unit,
  subject,
  simulated = false,
  axis,
  places,
  series,
}: ChartSpec): string =>
  JSON.stringify({
    title,
    unit,
    subject: subject?.(),
    simulated,
    points: places.map((place, index) => ({
      [axis ?? 'time']: place,
      ...Object.fromEntries(series.map(({ label, values }) => [label, values[index] ?? null])),
    })),
  })

const [width, height, margin, line] = [900, 420, 16, 20]

/**
 * A picture of a chart with its title, subject and legend above, and its origin and time below. At least two pixels for each of the page, so that it
 * stays sharp in a document. `from`: the URL of the page.
 */
async function pictureOf(drawing: Drawn, from: string): Promise<HTMLCanvasElement> {
  const { spec } = drawing
  const scale = devicePixelRatio < 2 ? 2 : 1
  const size = { width: width * scale, height: height * scale, scale }
  const plot = draw(document.createElement('div'), { ...drawing, ...size, onCursor() {}, onZoom() {} })
  await Promise.resolve() // uPlot draws after its constructor has returned
  const { canvas } = plot.ctx

  const { picture, context } = emptyPicture()
  context.font = chartFont(12)
  const entries = layOut(groupsOf(spec), (text) => context.measureText(text).width + 16, width - 2 * margin)
  const head = line * ((entries.at(-1)?.row ?? 0) + 3) + margin
  const pixels = canvas.width / width
  picture.width = canvas.width // a new size resets the font of the canvas
  picture.height = canvas.height + (head + 2 * line) * pixels

  context.scale(pixels, pixels)
  const { background, text, quiet } = chartPaints()
  const small = (color: string) => ({ color, font: chartFont(12) })
  const write = (content: string, left: number, top: number, style: ReturnType<typeof small>) => {
    context.font = style.font
    context.fillStyle = style.color
    context.fillText(content, left, top)
  }
  context.fillStyle = background
  context.fillRect(0, 0, picture.width, picture.height)
  write(`${spec.title} (${spec.unit})`, margin, line + 4, { color: text, font: chartFont(15, 620) })
  write(spec.subject?.() ?? '', margin, 2 * line + 4, small(quiet))
  for (const { group, label, left, row } of entries)
    write(
      label,
      margin + left,
      line * (row + 3) + 4,
      small(seriesPaint(seriesOf(spec, group)[0]?.color ?? 0)),
    )
  context.drawImage(canvas, 0, head, width, height)
  plot.destroy()
  const source = `${spec.simulated ? 'Simulated market. ' : ''}Source: rackrate, ${from}, ${iso(present()).slice(0, 16)} UTC`
  write(source, margin, head + height + line, small(quiet))
  return picture
}

function emptyPicture() {
  const picture = document.createElement('canvas')
  const context = picture.getContext('2d')
  if (!context) throw new Error('This browser cannot draw pictures')
  return { picture, context }
}

/** Pictures of charts on one sheet, in about as many columns as rows. */
function sheetOf(pictures: readonly HTMLCanvasElement[]): HTMLCanvasElement {
  const columns = Math.ceil(Math.sqrt(pictures.length))
  const wide = Math.max(...pictures.map((one) => one.width))
  const rows = Array.from({ length: Math.ceil(pictures.length / columns) }, (_, row) =>
    pictures.slice(row * columns, (row + 1) * columns),
  )
  const heights = rows.map((row) => Math.max(...row.map((one) => one.height)))
  const { picture, context } = emptyPicture()
  picture.width = columns * wide
  picture.height = heights.reduce((sum, height) => sum + height, 0)
  context.fillStyle = chartPaints().background
  context.fillRect(0, 0, picture.width, picture.height)
  let top = 0
  for (const [row, charts] of rows.entries()) {
    for (const [column, chart] of charts.entries()) context.drawImage(chart, column * wide, top)
    top += heights[row] ?? 0
  }
  return picture
}

const savePicture = (name: string, picture: HTMLCanvasElement): Promise<void> =>
  new Promise((resolve, reject) =>
    picture.toBlob((blob) =>
      blob ? resolve(save(`${name}.png`, blob)) : reject(new Error('The picture is too large')),
    ),
  )

/** Positions of the names of a legend, in as many rows as needed. */
function layOut(groups: readonly string[], widthOf: (text: string) => number, room: number) {
  let [left, row] = [0, 0]
  return groups.map((group) => {
    const label = `■ ${group}`
    const width = widthOf(label)
    if (left > 0 && left + width > room) [left, row] = [0, row + 1]
    const place = { group, label, left, row }
    left += width
    return place
  })
}

export const saveCsv = (spec: ChartSpec): void =>
  save(`${spec.name}.csv`, new Blob([csvOf(spec)], { type: 'text/csv' }))

export const saveJson = (spec: ChartSpec): void =>
  save(`${spec.name}.json`, new Blob([jsonOf(spec)], { type: 'application/json' }))

/** `from`: the URL of the page. */
export const savePng = async (drawing: Drawn, from: string): Promise<void> =>
  savePicture(drawing.spec.name, await pictureOf(drawing, from))

/** All charts of a page as one picture. */
export async function savePngOf(drawings: readonly Drawn[], from: string): Promise<void> {
  const pictures: HTMLCanvasElement[] = []
  // The charts are drawn one after the other, so that the page responds in between.
  for (const drawing of drawings) pictures.push(await pictureOf(drawing, from))
  await savePicture('rackrate-charts', sheetOf(pictures))
}
