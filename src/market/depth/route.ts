import type { z } from 'zod'
import { depthAnswer, depthQuery, type GpuDepth } from '../../../contract/depth.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { rentalsReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveNames } from '../market-query/resolve.ts'
import { byName } from '../market-query/select.ts'
import { slotAt } from '../market-query/timeline.ts'
import { bookAt, type Level } from './book.ts'
import { cheapestOf } from './cheapest.ts'
import { bookRange, readMeanBook } from './mean-book.ts'

const description = `The order book of one market snapshot: how many GPUs are available at each price, and how many are rented at each price.
With \`gpus\`, also the price of that many of the cheapest available GPUs. With \`days\`, the mean book over that many days, since the book of a rare
GPU varies from snapshot to snapshot.`

type Query = z.infer<typeof depthQuery>

interface BookQuestion extends Omit<Query, 'gpu_name' | 'at'> {
  names: string[]
  known: string[]
  /** The requested time, cut to the series. */
  from: number
  to: number
}

function resolveBook({ gpu_name, at, ...query }: Query, { state, names }: MarketState): BookQuestion {
  const from = Math.min(at ?? state.newest_slot, state.newest_slot)
  if (query.days === undefined && from >= state.first_slot && from < state.observed_since)
    throw invalidArgs(`Observations before ${state.observed_since} are no longer kept`)
  return { ...query, ...resolveNames(gpu_name, names), from, to: from + 1 }
}

export const depthRoute = marketRoute({
  path: 'depth',
  operationId: 'getGpuDepth',
  summary: 'GPU order book',
  description,
  query: depthQuery,
  answer: depthAnswer,
  withoutMachine: { slot: null, gpus: {} },
  resolve: resolveBook,
  open:
    ({ clickhouse }) =>
    (question, moment) =>
      queryDepth(clickhouse, moment, question),
})

async function queryDepth(clickhouse: ClickHouse, { slots, state }: MarketState, question: BookQuestion) {
  const { names, known, from, gpus: wanted, per_machine, days, tier } = question
  const filter = { names: known, ...filterOf(question) }
  const slot = slotAt(slots, from)
  // Time 0 means that there is no snapshot.
  const at = slot ?? 0
  const levels =
    days === undefined
      ? await bookAt(clickhouse, { ...filter, by_memory: false }, { slot: at, state, per_machine })
      : await readMeanBook(clickhouse, filter, { ...bookRange(at, days, state), slots, state })
  const gpus = byName(names, () => emptyDepth(rentalsReason(state.has_rentals)))
  for (const { gpu_name, ...level } of levels) {
    const gpu = gpus[gpu_name]
    // The difference of two tiers could show the price of a few contracts.
    const isHidden = level.rented && state.is_own && tier !== 'all'
    if (gpu) add(gpu, isHidden ? { ...level, price: null } : level)
  }
  if (wanted !== undefined) for (const gpu of Object.values(gpus)) gpu.cheapest = cheapestOf(gpu, wanted)
  return { slot: slot ?? null, gpus }
}

const emptyDepth = (reason: GpuDepth['rented']['reason']): GpuDepth => ({
  price: [],
  available: [],
  rented: { price: [], gpus: [], unpriced: 0, reason },
  cheapest: null,
})

function add({ price, available, rented }: GpuDepth, level: Omit<Level, 'gpu_name' | 'gpu_memory'>): void {
  if (level.price === null) {
    rented.unpriced += level.gpus
    rented.reason = 'few_hosts'
  } else {
    const [prices, gpus] = level.rented ? [rented.price, rented.gpus] : [price, available]
    prices.push(level.price / 1e9)
    gpus.push(level.gpus)
  }
}
