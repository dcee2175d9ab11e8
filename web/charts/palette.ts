import { mostCompared } from '../../contract/chart-choices.ts'

/** The number of GPU types that can be distinguished: as many as the palette has colours. */
export const distinct = mostCompared

/** A side of the market, the own machines, or a place among the GPU types. Each is the same in every chart. */
export type Color = 'rented' | 'available' | 'own' | number

const places = { rented: 1, available: 2, own: 3 }

/** The custom property of a series. */
const seriesName = (color: Color): string =>
  `--chart-${typeof color === 'number' ? (color % distinct) + 1 : places[color]}`

/** The colour of a series, for style sheets: it follows the theme. */
export const colorOf = (color: Color): string => `var(${seriesName(color)})`

/** Colours of the page's present look, cached: reading one makes the browser compute all styles. */
const known = { look: '', paints: new Map<string, string>() }

/** A colour of tokens.css as it is now, for a canvas. */
function paint(name: string): string {
  const root = document.documentElement
  const look = `${root.dataset.theme} ${matchMedia('(forced-colors: active)').matches}`
  if (look !== known.look) Object.assign(known, { look, paints: new Map() })
  const color = known.paints.get(name) ?? getComputedStyle(root).getPropertyValue(name).trim()
  known.paints.set(name, color)
  return color
}

/** The present colour of a series: six hex digits, so that two more make it translucent. */
export const seriesPaint = (color: Color): string => paint(seriesName(color))

/** The colours of a chart apart from its series. */
export const chartPaints = () => ({
  background: paint('--surface'),
  text: paint('--ink'),
  quiet: paint('--axis'),
  grid: paint('--grid'),
  warn: paint('--warn'),
  warnFill: paint('--warn-fill'),
})
