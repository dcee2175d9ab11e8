/** How many series can be told apart: those of colors.css. */
export const distinct = 8

/** The custom property of a series. */
const seriesName = (index: number): string => `--series-${index % distinct}`

/** The colour of a series, for style sheets: it follows the theme. */
export const colorOf = (index: number): string => `var(${seriesName(index)})`

/** A colour of colors.css as it is now, for a canvas. */
const paint = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The same of a series: six hex digits, so that two more make it translucent. */
export const seriesPaint = (index: number): string => paint(seriesName(index))

/** What the rest of a chart is painted with. */
export const chartPaints = () => ({
  background: paint('--chart-background'),
  text: paint('--chart-text'),
  quiet: paint('--chart-quiet'),
  grid: paint('--chart-grid'),
})
