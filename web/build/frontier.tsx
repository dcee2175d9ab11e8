import type { CurrentGpu } from '../../contract/current.ts'
import { efficientLine } from '../../estimates/returns.ts'
import { useWidth } from '../components/use-width.ts'
import { figure, price } from '../format.ts'

const height = 320
/** The widest name on the chart. The tip of the point has all of it. */
const widestName = 110
const edge = { left: 56, right: 12, top: 12, bottom: 40 }

/** Round numbers within a range: 1, 2 and 5 times powers of ten. */
const roundNumbers = (low: number, high: number): number[] =>
  Array.from({ length: 16 }, (_, index) => 10 ** (index - 6))
    .flatMap((power) => [power, 2 * power, 5 * power])
    .filter((value) => value >= low * 0.999 && value <= high * 1.001)

/** The width of a price below the axis. */
const tickWidth = 44

/** The ticks that have room for their texts, from the first. */
function apart(ticks: readonly number[], at: (tick: number) => number): number[] {
  let free = 0
  return ticks.filter((tick) => {
    const hasRoom = at(tick) >= free
    if (hasRoom) free = at(tick) + tickWidth
    return hasRoom
  })
}

/** A name with its width, shortened to the widest. */
function fitted(name: string): { text: string; width: number } {
  const brush = document.createElement('canvas').getContext('2d')
  if (brush) brush.font = `620 11px ${getComputedStyle(document.body).fontFamily}`
  const widthOf = (text: string) => brush?.measureText(text).width ?? widestName
  let text = name
  for (let letters = name.length - 1; letters > 0 && widthOf(text) > widestName; letters -= 1)
    text = `${name.slice(0, letters)}…`
  return { text, width: widthOf(text) }
}

/** Points whose names do not cover the name of an earlier one. A name stands left above its point, or right below where the axis is near. */
function withNames<Point extends { name: string }>(
  points: readonly Point[],
  placeOf: (point: Point) => [x: number, y: number],
) {
  const taken: { name: string; text: string; width: number; left: number; y: number }[] = []
  for (const point of points) {
    const [x, y] = placeOf(point)
    const name = { name: point.name, ...fitted(point.name) }
    const left = x - 8 - name.width
    const placed = left < edge.left ? { ...name, left: x + 8, y: y + 12 } : { ...name, left, y: y - 6 }
    const isFree = taken.every(
      (other) =>
        other.left > placed.left + placed.width + 4 ||
        placed.left > other.left + other.width + 4 ||
        Math.abs(other.y - placed.y) > 14,
    )
    if (isFree) taken.push(placed)
  }
  return taken
}

/** Price and deep-learning score of all GPU types on logarithmic axes. The line has the highest score up to each price. */
export function Frontier({ gpus }: { gpus: readonly CurrentGpu[] }) {
  const [frame, width] = useWidth(526)
  const points = gpus.flatMap(({ gpu_name: name, price_median, dlperf }) =>
    price_median !== null && price_median > 0 && dlperf !== null && dlperf > 0
      ? [{ name, price: price_median, score: dlperf }]
      : [],
  )
  const scale = (values: readonly number[], [from, to]: readonly [number, number]) => {
    const [low, high] = [Math.min(...values) / 1.25, Math.max(...values) * 1.25]
    const at = (value: number) => from + ((to - from) * Math.log(value / low)) / Math.log(high / low)
    return { at, ticks: roundNumbers(low, high) }
  }
  const x = scale(
    points.map((point) => point.price),
    [edge.left, width - edge.right],
  )
  const y = scale(
    points.map((point) => point.score),
    [height - edge.bottom, edge.top],
  )
  const line = efficientLine(points)
  const onLine = new Set(line.map(({ name }) => name))
  return (
    <section class="card" aria-labelledby="frontier-title">
      <header>
        <h2 id="frontier-title">Score for the price</h2>
        <span class="quiet">deep-learning score, both axes logarithmic</span>
      </header>
      <div class="plot" ref={frame}>
        {points.length > 1 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label="Price and deep-learning score of GPU types"
          >
            {y.ticks.map((tick) => (
              <g key={tick}>
                <line class="grid" x1={edge.left} x2={width - edge.right} y1={y.at(tick)} y2={y.at(tick)} />
                <text x={edge.left - 6} y={y.at(tick)} class="left">
                  {figure(tick)}
                </text>
              </g>
            ))}
            {apart(x.ticks, x.at).map((tick) => (
              <text key={tick} x={x.at(tick)} y={height - edge.bottom + 16} class="below">
                {price(tick)}
              </text>
            ))}
            <text x={width - edge.right} y={height - 6} class="axis">
              available median, USD per GPU-hour
            </text>
            <polyline points={line.map((point) => `${x.at(point.price)},${y.at(point.score)}`).join(' ')} />
            {points.map((point) => (
              <circle
                key={point.name}
                class={onLine.has(point.name) ? 'best' : undefined}
                cx={x.at(point.price)}
                cy={y.at(point.score)}
                r={onLine.has(point.name) ? 5 : 4}
              >
                <title>
                  {point.name}: {figure(point.score)} at {price(point.price)}
                </title>
              </circle>
            ))}
            {withNames(line, (point) => [x.at(point.price), y.at(point.score)]).map((placed) => (
              <text key={placed.name} x={placed.left} y={placed.y} class="name">
                {placed.text}
              </text>
            ))}
          </svg>
        )}
      </div>
    </section>
  )
}
