import type { CurrentGpu } from '../../contract/current.ts'
import { price as written } from '../format.ts'

const width = 132
const margin = 7

interface PriceScaleProps {
  /** Own prices. */
  prices: readonly number[]
  market: Pick<CurrentGpu, 'price_p10' | 'price_median' | 'price_p90'>
}

/** The available market from p10 to p90 as a bar, with marks for its median and the own prices. */
export function PriceScale({
  prices,
  market: { price_p10: low, price_median: median, price_p90: high },
}: PriceScaleProps) {
  if (low === null || median === null || high === null) return <span class="quiet">none available</span>
  const [from, to] = [Math.min(low, ...prices), Math.max(high, ...prices)]
  const at = (value: number) => margin + ((value - from) / (to - from || 1)) * (width - 2 * margin)
  const words = `Available now: p10 ${written(low)}, median ${written(median)}, p90 ${written(high)}`
  return (
    <svg
      class="price-scale"
      viewBox={`0 0 ${width} 16`}
      width={width}
      height={16}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <rect class="whole" x={margin} y={7} width={width - 2 * margin} height={2} rx={1} />
      <rect class="band" x={at(low)} y={4} width={Math.max(2, at(high) - at(low))} height={8} rx={4} />
      <line class="median" x1={at(median)} x2={at(median)} y1={1} y2={15} />
      {prices.map((price) => (
        <circle key={price} class="own" cx={at(price)} cy={8} r={4.5} />
      ))}
    </svg>
  )
}
