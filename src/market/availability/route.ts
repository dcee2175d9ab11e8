import {
  availabilityAnswer,
  availabilityQuery,
  type GpuAvailability,
} from '../../../contract/availability.ts'
import { hour } from '../../../contract/durations.ts'
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
  duration: 'yes' | 'no'
}

export const availabilityRoute = marketRoute({
  path: 'availability',
  operationId: 'getGpuAvailability',
  summary: 'GPU availability at a price',
  description,
  query: availabilityQuery,
  answer: availabilityAnswer,
  resolve: ({ gpus, price, duration, ...query }, moment) => ({
    // The answer has no series, so no step is too fine.
    ...resolveQuestion({ ...query, step: hour }, moment, {
      seriesPerName: 0,
      points: Number.POSITIVE_INFINITY,
    }),
    gpus,
    price,
    duration,
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
  const { price, duration: wanted } = question
  const found = await readEnough(clickhouse, question)
  const seen = await seenOf({ clickhouse, names }, question, { withRows: found.keys(), stored_step: hour })
  const { start } = timelineOf(slots, question)
  return byName(question.names, (name): GpuAvailability => {
    const hours = seen.has(name) ? start.length : 0
    if (hours === 0) return { hours, share: null, duration: [] }
    const enough = found.get(name) ?? { hours: 0, prices: [] }
    const curve = Array.from(
      { length: 100 },
      (_, index) => enough.prices[Math.ceil(((index + 1) * hours) / 100) - 1] ?? null,
    )
    const share = price === undefined ? null : enough.hours / hours
    return { hours, share, duration: wanted === 'yes' ? curve : [] }
  })
}

/** The hours of a GPU name with enough GPUs. */
interface Enough {
  /** The number of hours with enough GPUs at the requested price. */
  hours: number
  /** The lowest price at which there were enough, of each hour, ascending. Empty if no curve is wanted. */
  prices: number[]
}

async function readEnough(
  clickhouse: ClickHouse,
  question: AvailabilityQuestion,
): Promise<Map<string, Enough>> {
  const { gpus, price = 0, duration } = question
  const parameters = { ...parametersOf(question), gpus }
  if (duration === 'no') {
    const rows = await selectHistogram<{ gpu_name: string; hours: number }>(
      clickhouse,
      'availability/share',
      { ...parameters, price: price.toFixed(9) },
    )
    return new Map(rows.map(({ gpu_name, hours }) => [gpu_name, { hours, prices: [] }]))
  }
  const rows = await selectHistogram<{ gpu_name: string; prices: number[] }>(
    clickhouse,
    'availability/marginal',
    parameters,
  )
  return new Map(
    rows.map(({ gpu_name, prices }) => [
      gpu_name,
      { hours: prices.filter((one) => one <= price).length, prices },
    ]),
  )
}
