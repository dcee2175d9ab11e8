import type { Theme } from '../theme.ts'
import { colorOf, colors } from './palette.ts'
import { type ChartSpec, groupsOf, seriesOf } from './spec.ts'

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

// Quoted where it must be (RFC 4180).
const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a chart shows: the time in UTC and a column per series; missing figures are empty. */
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
export function pngOf(
  canvas: HTMLCanvasElement,
  spec: ChartSpec,
  hidden: readonly string[],
  theme: Theme,
): Promise<Blob> {
  const scale = devicePixelRatio
  const head = 52 * scale
  const picture = document.createElement('canvas')
  picture.width = canvas.width
  picture.height = canvas.height + head
  const context = picture.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures')
  const { background, text } = colors[theme]
  context.fillStyle = background
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = text
  context.font = `600 ${15 * scale}px system-ui`
  context.fillText(
    `${spec.title} (${spec.unit})${spec.simulated ? ', simulated' : ''}`,
    12 * scale,
    20 * scale,
  )
  context.font = `${12 * scale}px system-ui`
  let left = 12 * scale
  for (const group of groupsOf(spec).filter((name) => !hidden.includes(name))) {
    context.fillStyle = colorOf(theme, seriesOf(spec, group)[0]?.color ?? 0)
    context.fillText(`■ ${group}`, left, 42 * scale)
    left += context.measureText(`■ ${group}`).width + 16 * scale
  }
  context.drawImage(canvas, 0, head)
  return new Promise((resolve, reject) =>
    picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large')))),
  )
}

/** Gives a file to the visitor. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
