import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { type ReturnsAnswer, returnsDays, returnsOrders } from '../../../contract/returns.ts'
import { pathOf, type Tool } from '../tool.ts'

const most = 20
const input = z.object({
  ...toolFilter,
  days: z.enum(returnsDays).default('30').describe('Days before the newest published day'),
  kwh_price: z.number().min(0).max(10).optional().describe('USD per kWh; without it power is not taken off'),
  fee: z
    .number()
    .min(0)
    .max(0.99)
    .optional()
    .describe("The marketplace's share; without it none is taken off"),
  purchase_price: z
    .record(z.string().max(64), z.number().positive().max(1_000_000))
    .optional()
    .describe('USD for a GPU by GPU name, for payback'),
  order: z.enum(returnsOrders).default('net'),
})

export const returns: Tool<typeof input> = {
  name: 'returns',
  title: 'Income and payback of GPU types',
  description: `Ranks GPU types and rig sizes by net income: income per GPU and day with its interval, occupancy, first rental, growth of supply, and with purchase prices the payback in months. The best ${most}. Observed in the past, not promised.`,
  input,
  path: ({ days, kwh_price, fee, purchase_price, order, ...asked }) => {
    const prices = Object.entries(purchase_price ?? {}).map(([name, price]) => `${name}:${price}`)
    return pathOf('/api/v0/metrics/gpu/returns', {
      ...filterParameters(asked),
      days,
      order,
      limit: most,
      ...(kwh_price !== undefined && { kwh_price }),
      ...(fee !== undefined && { fee }),
      ...(prices.length > 0 && { purchase_price: prices.join() }),
    })
  },
  summarize: ({ classes, left_out, not_taken_off, days, to }: ReturnsAnswer) => ({
    figures: ['income', 'class_net', 'payback', 'occupancy', 'first_rental_hours', 'price_change', 'supply'],
    data: { to, days, not_taken_off, classes },
    note: left_out > 0 ? `${left_out} more. Filter by rig size or memory.` : undefined,
  }),
}
