import { mostCompared } from '../../contract/chart-choices.ts'

/** How many GPU types can be told apart: those of colors.css. */
export const distinct = mostCompared

/** A side of the market, the own machines, or a place among the GPU types. Each is the same in every chart. */
export type Color = 'rented' | 'available' | 'own' | number

/** The custom property of a series. */
const seriesName = (color: Color): string =>
  `--series-${typeof color === 'number' ? color % distinct : color}`

/** The colour of a series, for style sheets: it follows the theme. */
export const colorOf = (color: Color): string => `var(${seriesName(color)})`

/** Of the look that the page has now: asking for one makes the browser compute all styles. */
const known = { look: '', paints: new Map<string, string>() }

/** A colour of colors.css as it is now, for a canvas. */
function paint(name: string): string {
  const root = document.documentElement
  const look = `${root.dataset.theme} ${matchMedia('(forced-colors: active)').matches}`
  if (look !== known.look) Object.assign(known, { look, paints: new Map() })
  const color = known.paints.get(name) ?? getComputedStyle(root).getPropertyValue(name).trim()
  known.paints.set(name, color)
  return color
}

/** The same of a series: six hex digits, so that two more make it translucent. */
export const seriesPaint = (color: Color): string => paint(seriesName(color))

/** What the rest of a chart is painted with. */
export const chartPaints = () => ({
  background: paint('--chart-background'),
  text: paint('--chart-text'),
  quiet: paint('--chart-quiet'),
  grid: paint('--chart-grid'),
})
