import type { GpuAvailability } from '../../contract/availability.ts'
import type { GpuDepth } from '../../contract/depth.ts'
import { count, percent, price } from '../format.ts'
import type { View } from '../view.ts'

/** The answer in words: the present availability of the number of GPUs, their price, and the share of hours with enough GPUs. */
export function answerOf(
  { need, most, together }: Pick<View, 'need' | 'most' | 'together'>,
  { price: prices, available, cheapest }: GpuDepth,
  availability: GpuAvailability | undefined,
): string {
  const limit = most === '' ? Number.POSITIVE_INFINITY : Number(most)
  const there = prices.reduce((sum, at, index) => (at <= limit ? sum + (available[index] ?? 0) : sum), 0)
  const where = together === 'yes' ? ` on machines with ${count(need)} or more free` : ''
  const atPrice = most === '' ? '' : ` at ${price(limit)} or less`
  const now = `${there >= need ? 'Yes' : 'No'}: ${count(there)} available now${atPrice}${where}.`
  const costs = !cheapest
    ? ''
    : need === 1
      ? ` The cheapest costs ${price(cheapest.marginal_price)}.`
      : ` The cheapest ${count(need)} cost ${price(cheapest.average_price)} each on average, and ${price(cheapest.marginal_price)} at most.`
  const share = availability?.share ?? null
  // The history has no data of single machines.
  const often =
    share === null || together === 'yes'
      ? ''
      : ` This many were available in ${share === 1 ? 'every hour' : `${percent(share)} of the hours`} shown.`
  return now + costs + often
}
