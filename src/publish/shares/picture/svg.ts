import { sharedPicture } from '../../../../contract/shares.ts'
import { escaped } from '../words.ts'
import type { Line, Unit } from './lines.ts'

const { width, height } = sharedPicture
const plot = { left: 110, right: 1160, top: 190, bottom: 520 }

export interface Picture {
  title: string
  /** The machines that the picture is about. */
  subject: string
  unit: Unit
  lines: readonly Line[]
  /** The range of the x-axis, unix seconds. */
  from: number
  to: number
  /** The origin and the time of the data. */
  source: string
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const names: Record<Unit, string> = {
  price: 'USD per GPU-hour',
  change: 'change since the start',
  share: 'rented share',
  gpus: 'GPUs',
  machines: 'machines',
  score: 'per USD per hour',
}
const write: Record<Unit, (value: number) => string> = {
  price: (value) => `$${value.toFixed(value < 1 ? 3 : 2)}`,
  change: (value) => percents.format(value),
  share: (value) => percents.format(value),
  gpus: (value) => whole.format(value),
  machines: (value) => whole.format(value),
  score: (value) => short.format(value),
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const hour = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

const textAt = (x: number, y: number, text: string, look = 'font-size="22" fill="#5b6474"') =>
  `<text x="${x}" y="${y}" ${look}>${escaped(text)}</text>`

/** A shared chart as a picture, in SVG. */
export function svgOf(picture: Picture): string {
  const { title, subject, unit, lines, from, to, source } = picture
  const about = `${names[unit]}, ${subject}`
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${textAt(40, 64, title.length > 52 ? `${title.slice(0, 51)}…` : title, 'font-size="36" fill="#1b1f27"')}
${textAt(40, 104, to > 0 ? `${about}, ${day.formatRange(from * 1000, to * 1000)} UTC` : about)}
${legendOf(picture)}
${values.length > 0 ? plotOf(picture, values) : textAt(520, 360, 'No data in this range.')}
${textAt(40, 600, source)}
</svg>`
}

/** The names of the lines with their newest values. */
function legendOf({ lines, unit }: Picture): string {
  const isLong = lines.length > 4
  const [apart, size] = isLong ? [280, 18] : [Math.min(360, 1120 / Math.max(1, lines.length)), 22]
  return lines
    .map(({ name, color, values }, index) => {
      const newest = values.findLast((value) => value !== null)
      const [x, y] = [40 + (index % 4) * apart, (isLong ? 136 : 148) + Math.floor(index / 4) * 28]
      const label = `${name.slice(0, 20)}${newest === undefined || newest === null ? '' : ` ${write[unit](newest)}`}`
      return `<rect x="${x}" y="${y - 14}" width="16" height="16" rx="3" fill="${color}"/>${textAt(x + 24, y, label, `font-size="${size}" fill="#373c44"`)}`
    })
    .join('')
}

function plotOf({ lines, unit, from, to }: Picture, values: readonly number[]): string {
  const ticks = ticksOf(
    values.reduce((a, b) => Math.min(a, b)),
    values.reduce((a, b) => Math.max(a, b)),
  )
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const { left, right, top, bottom } = plot
  const xOf = (time: number) => left + ((time - from) / (to - from || 1)) * (right - left)
  const yOf = (value: number) => bottom - ((value - low) / (high - low || 1)) * (bottom - top)
  const rows = ticks.map(
    (tick) =>
      `<path d="M${left} ${yOf(tick)}H${right}" stroke="#e3e7ee" stroke-width="2"/>` +
      textAt(left - 12, yOf(tick) + 8, write[unit](tick), 'font-size="20" fill="#5b6474" text-anchor="end"'),
  )
  const days = to - from > 3 * 86_400 ? day : hour
  const dates = [0, 0.25, 0.5, 0.75].map((share) => {
    const time = from + share * (to - from)
    return textAt(xOf(time), bottom + 34, days.format(time * 1000), 'font-size="20" fill="#5b6474"')
  })
  const paths = lines.map(
    (line) =>
      `<path d="${pathOf(line, xOf, yOf)}" fill="none" stroke="${line.color}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`,
  )
  return [...rows, ...dates, ...paths].join('\n')
}

/** A line with gaps where values or times are missing. A time is missing if the distance is longer than usual. */
function pathOf(
  { times, values }: Line,
  xOf: (time: number) => number,
  yOf: (value: number) => number,
): string {
  const apart = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const usual = apart.toSorted((a, b) => a - b)[Math.floor((apart.length - 1) / 2)] ?? 0
  let isOpen = false
  return times
    .map((time, index) => {
      const value = values[index] ?? null
      if (index > 0 && time - (times[index - 1] ?? time) > usual * 1.5) isOpen = false
      if (value === null) {
        isOpen = false
        return ''
      }
      const place = `${xOf(time).toFixed(1)} ${yOf(value).toFixed(1)}`
      // A point between two gaps is a dot.
      const part = isOpen ? `L${place}` : `M${place}L${place}`
      isOpen = true
      return part
    })
    .join('')
}

/** Round values from below the lowest to above the highest, about five of them. */
export function ticksOf(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const apart = power * ([1, 2, 5].find((step) => step * power * 4 >= span) ?? 10)
  const first = Math.floor(low / apart)
  const last = Math.max(first + 1, Math.ceil(high / apart))
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * apart).toPrecision(12)),
  )
}
