import { price as written } from '../format.ts'
import type { Standing } from './standing.ts'

const width = 160
const margin = 8

/** The available market from p10 to p90 as a bar, with marks for its median and the own price. */
export function PriceScale({
  price,
  standing: { low, median, high },
}: {
  price: number | null
  standing: Standing
}) {
  if (low === null || median === null || high === null) return <span class="quiet">nothing available</span>
  const [from, to] = [Math.min(low, price ?? low), Math.max(high, price ?? high)]
  const at = (value: number) => margin + ((value - from) / (to - from || 1)) * (width - 2 * margin)
  const words = `p10 ${written(low)}, median ${written(median)}, p90 ${written(high)}`
  return (
    <>
      <svg
        class="price-scale"
        viewBox={`0 0 ${width} 20`}
        width={width}
        height={20}
        role="img"
        aria-label={words}
      >
        <title>{words}</title>
        <rect class="band" x={at(low)} y={6} width={Math.max(2, at(high) - at(low))} height={8} rx={4} />
        <line class="median" x1={at(median)} x2={at(median)} y1={3} y2={17} />
        {price !== null && <circle class="own" cx={at(price)} cy={10} r={5} />}
      </svg>
      <br />
      <span class="quiet">
        {written(low)} · {written(median)} · {written(high)}
      </span>
    </>
  )
}
