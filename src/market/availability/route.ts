import {
  availabilityAnswer,
  availabilityQuery,
  type GpuAvailability,
} from '../../../contract/availability.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion, type SeriesQuestion } from '../market-query/resolve.ts'
import { seenOf } from '../market-query/seen.ts'
import { byName, parametersOf, selectHistogram } from '../market-query/select.ts'
import { timelineOf } from '../market-query/timeline.ts'

const description = `How often a number of GPUs was available, and at which price: the share of the hours in the range in which the cheapest \`gpus\`
GPUs cost \`price\` or less each, and the price duration curve. The range is widened to whole hours. Counts of an hour are means over its market
snapshots.`

interface AvailabilityQuestion extends SeriesQuestion {
  gpus: number
  price: number | undefined
}

export const availabilityRoute = marketRoute({
  path: 'availability',
  operationId: 'getGpuAvailability',
  summary: 'GPU availability at a price',
  description,
  query: availabilityQuery,
  answer: availabilityAnswer,
  resolve: ({ gpus, price, ...query }, moment) => ({
    // The answer has no series, so no step is too fine.
    ...resolveQuestion({ ...query, step: 3600 }, moment, {
      seriesPerName: 0,
      points: Number.POSITIVE_INFINITY,
    }),
    gpus,
    price,
  }),
  open:
    ({ clickhouse }) =>
    async (question, moment) => ({ gpus: await queryAvailability(clickhouse, question, moment) }),
})

async function queryAvailability(
  clickhouse: ClickHouse,
  question: AvailabilityQuestion,
  { slots, names }: MarketState,
): Promise<Record<string, GpuAvailability>> {
  const { gpus, price: limit } = question
  const rows = await selectHistogram<{ gpu_name: string; price: number }>(
    clickhouse,
    'availability/marginal',
    { ...parametersOf(question), gpus },
  )
  const withRows = rows.map(({ gpu_name }) => gpu_name)
  const seen = await seenOf({ clickhouse, names }, question, { withRows, stored_step: 3600 })
  const { start } = timelineOf(slots, question)
  const pricesOf = new Map<string, number[]>(question.known.map((name) => [name, []]))
  for (const { gpu_name, price } of rows) pricesOf.get(gpu_name)?.push(price)
  return byName(question.names, (name): GpuAvailability => {
    const hours = seen.has(name) ? start.length : 0
    if (hours === 0) return { hours, share: null, duration: [] }
    const prices = (pricesOf.get(name) ?? []).sort((a, b) => a - b)
    const share = limit === undefined ? null : prices.filter((price) => price <= limit).length / hours
    const duration = Array.from(
      { length: 100 },
      (_, index) => prices[Math.ceil(((index + 1) * hours) / 100) - 1] ?? null,
    )
    return { hours, share, duration }
  })
}
