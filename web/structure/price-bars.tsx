import type { GpuPrices } from '../../contract/prices.ts'
import { useWidth } from '../components/use-width.ts'
import { count, price } from '../format.ts'

const height = 200
const below = 20

/** The mean number of GPUs at each price: rented ones below, available ones above them. */
export function PriceBars({ of: { edges, available, rented, slots } }: { of: GpuPrices }) {
  const [frame, width] = useWidth(526)
  const all = Math.max(
    1,
    slots.reduce((sum, one) => sum + one, 0),
  )
  const mean = (row: readonly (number | null)[] = []) =>
    row.reduce<number>((sum, one) => sum + (one ?? 0), 0) / all
  const bars = edges.slice(0, -1).map((low, bin) => ({
    low,
    high: edges[bin + 1] ?? low,
    free: mean(available[bin]),
    taken: mean(rented[bin]),
  }))
  const highest = Math.max(1e-9, ...bars.map(({ free, taken }) => free + taken))
  const scale = (height - below) / highest
  const step = width / Math.max(1, bars.length)
  return (
    <div class="bars" ref={frame}>
      <svg width={width} height={height} role="img" aria-label="GPUs at each price, rented and available">
        {bars.map(({ low, high, free, taken }, index) => (
          <g key={low}>
            <title>
              {price(low)} to {price(high)}: {count(taken)} rented, {count(free)} available
            </title>
            <rect
              class="rented"
              x={index * step}
              width={Math.max(1, step - 1)}
              y={height - below - taken * scale}
              height={taken * scale}
            />
            <rect
              class="available"
              x={index * step}
              width={Math.max(1, step - 1)}
              y={height - below - (taken + free) * scale}
              height={free * scale}
            />
          </g>
        ))}
        <text x={0} y={height - 4}>
          {price(edges[0] ?? null)}
        </text>
        <text x={width} y={height - 4} text-anchor="end">
          {price(edges.at(-1) ?? null)} per GPU-hour
        </text>
      </svg>
    </div>
  )
}
