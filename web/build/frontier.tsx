import type { CurrentGpu } from '../../contract/current.ts'
import { efficientLine } from '../../estimates/returns.ts'
import { useWidth } from '../components/use-width.ts'
import { figure, price } from '../format.ts'

const height = 320
/** The room of a name, and the most letters that stand there. The tip of the point has all. */
const nameWidth = 76
const mostLetters = 18
const cut = (name: string) => (name.length > mostLetters ? `${name.slice(0, mostLetters - 1)}…` : name)
const edge = { left: 56, right: 12, top: 12, bottom: 40 }

/** Round numbers within a range: 1, 2 and 5 times powers of ten. */
const roundNumbers = (low: number, high: number): number[] =>
  Array.from({ length: 16 }, (_, index) => 10 ** (index - 6))
    .flatMap((power) => [power, 2 * power, 5 * power])
    .filter((value) => value >= low * 0.999 && value <= high * 1.001)

/** Points whose names do not cover the name of an earlier one. A name stands left above its point, or right below where the axis is near. */
function withNames<Point>(points: readonly Point[], placeOf: (point: Point) => [x: number, y: number]) {
  const taken: { point: Point; left: number; x: number; y: number; isRight: boolean }[] = []
  for (const point of points) {
    const [x, y] = placeOf(point)
    const name =
      x < edge.left + nameWidth
        ? { left: x + 8, x: x + 8, y: y + 12, isRight: true }
        : { left: x - 8 - nameWidth, x: x - 8, y: y - 6, isRight: false }
    if (taken.every(({ left, y }) => Math.abs(left - name.left) > nameWidth || Math.abs(y - name.y) > 14))
      taken.push({ point, ...name })
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
            {x.ticks.map((tick) => (
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
            {withNames(line, (point) => [x.at(point.price), y.at(point.score)]).map((name) => (
              <text key={name.point.name} x={name.x} y={name.y} class={name.isRight ? 'name right' : 'name'}>
                {cut(name.point.name)}
              </text>
            ))}
          </svg>
        )}
      </div>
    </section>
  )
}
