import type { GpuDepth } from '../../../contract/depth.ts'

// Converts to billionths of a dollar. Prices have nine decimals, and integers are added without rounding.
const nanoDollars = (price: number) => Math.round(price * 1e9)

/** The price of the cheapest `wanted` available GPUs; null when there are fewer. Prices ascend. */
export function cheapestOf(
  { price, available }: Pick<GpuDepth, 'price' | 'available'>,
  wanted: number,
): GpuDepth['cheapest'] {
  let left = wanted
  let cost = 0
  for (const [index, marginal_price] of price.entries()) {
    const taken = Math.min(left, available[index] ?? 0)
    cost += taken * nanoDollars(marginal_price)
    left -= taken
    if (left === 0) return { average_price: cost / wanted / 1e9, marginal_price }
  }
  return null
}
