import { mostCompared } from '../../contract/chart-choices.ts'

/** How many GPU types can be told apart: those of tokens.css. */
export const distinct = mostCompared

/** A side of the market, the own machines, or a place among the GPU types. Each is the same in every chart. */
export type Color = 'rented' | 'available' | 'own' | number

/** The custom property of a series. */
const seriesName = (color: Color): string =>
  `--series-${typeof color === 'number' ? color % distinct : color}`

/** The colour of a series, for style sheets: it follows the theme. */
export const colorOf = (color: Color): string => `var(${seriesName(color)})`

/** A colour of tokens.css as it is now, for a canvas. */
const paint = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The same of a series: six hex digits, so that two more make it translucent. */
export const seriesPaint = (color: Color): string => paint(seriesName(color))

/** What the rest of a chart is painted with. */
export const chartPaints = () => ({
  background: paint('--chart-background'),
  text: paint('--chart-text'),
  quiet: paint('--chart-quiet'),
  grid: paint('--chart-grid'),
})
