import { chartPaints, seriesPaint } from './palette.ts'
import { type ChartSpec, groupsOf, seriesOf } from './spec.ts'

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

// Quoted where necessary (RFC 4180).
const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The figures of a chart: the time in UTC and a column per series; missing figures are empty. */
export const csvOf = ({ times, series }: ChartSpec): string =>
  [
    ['time', ...series.map(({ label }) => label)],
    ...times.map((time, index) => [iso(time), ...series.map(({ values }) => values[index] ?? null)]),
  ]
    .map((row) => `${row.map(cell).join()}\r\n`)
    .join('')

/** The same as JSON: a list of points by the names of the series, missing figures null. */
export const jsonOf = ({ title, unit, simulated = false, times, series }: ChartSpec): string =>
  JSON.stringify({
    title,
    unit,
    simulated,
    points: times.map((time, index) => ({
      time,
      ...Object.fromEntries(series.map(({ label, values }) => [label, values[index] ?? null])),
    })),
  })

/** A picture of the chart as it's drawn, with its title and legend. */
export function pngOf(canvas: HTMLCanvasElement, spec: ChartSpec): Promise<Blob> {
  const scale = devicePixelRatio
  const [margin, line] = [12 * scale, 20 * scale]
  const picture = document.createElement('canvas')
  const context = picture.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures')
  const [titleFont, font] = [`600 ${15 * scale}px system-ui`, `${12 * scale}px system-ui`]
  context.font = font
  const entries = layOut(
    groupsOf(spec),
    (text) => context.measureText(text).width + 16 * scale,
    canvas.width - 2 * margin,
  )
  const head = line * ((entries.at(-1)?.row ?? 0) + 2) + margin
  picture.width = canvas.width // which forgets the font
  picture.height = canvas.height + head

  const { background, text } = chartPaints()
  context.fillStyle = background
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = text
  context.font = titleFont
  context.fillText(`${spec.title} (${spec.unit})${spec.simulated ? ', simulated' : ''}`, margin, line)
  context.font = font
  for (const { group, label, left, row } of entries) {
    context.fillStyle = seriesPaint(seriesOf(spec, group)[0]?.color ?? 0)
    context.fillText(label, margin + left, line * (row + 2))
  }
  context.drawImage(canvas, 0, head)
  return new Promise((resolve, reject) =>
    picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large')))),
  )
}

/** Places for the names of a legend, in as many rows as they need. */
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

/** Gives a file to the visitor. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
