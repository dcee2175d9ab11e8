import { hour } from '../../../contract/durations.ts'
import { priceSteps, wholeBuckets } from '../../../contract/ladder.ts'
import { type GpuPrices, pricesAnswer, pricesQuery } from '../../../contract/prices.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { shownCells } from '../market-query/contract-prices.ts'
import { rentalsReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion, type SeriesQuestion } from '../market-query/resolve.ts'
import { seenOf } from '../market-query/seen.ts'
import { byName, parametersOf, pooledStep, selectHistogram } from '../market-query/select.ts'
import { timelineOf } from '../market-query/timeline.ts'
import { type Bins, binsFor, edgesOf } from './bins.ts'

const description = `How many GPUs were available and how many were rented, per price bin and bucket: the cells of a heat map. Each GPU type has its
own bins of equal, round width, which cover the prices of 98 % of its GPUs. The first and the last bin also count the GPUs beyond. Parameters, buckets and
headers are those of the history. The step is rounded up to whole hours.`

export const pricesRoute = marketRoute({
  path: 'prices',
  operationId: 'getGpuPrices',
  summary: 'GPU price distribution over time',
  description,
  query: pricesQuery,
  answer: pricesAnswer,
  resolve: ({ bins, ...query }, moment) => ({
    ...resolveQuestion(query, moment, { unit: hour, seriesPerName: bins }),
    bins,
  }),
  open:
    ({ clickhouse }) =>
    async (question, moment) => ({
      step: question.step,
      gpus: await queryPrices(clickhouse, question, moment),
    }),
})

/** A row of prices/cells. */
interface Cells {
  gpu_name: string
  rented: boolean
  bin: number
  /** One sum for each bucket of the range, including buckets without slots. */
  gpu_slots: number[]
}

async function queryPrices(
  clickhouse: ClickHouse,
  question: SeriesQuestion & { bins: number },
  { slots: all, names, state }: MarketState,
): Promise<Record<string, GpuPrices>> {
  const market = { clickhouse, state }
  const parameters = parametersOf(question)
  const whole = { step: priceSteps[0], ...wholeBuckets(priceSteps[0], question) }
  // Bins of whole days stay the same from hour to hour. A day with hidden slots would show their prices.
  const days = whole.to > state.hidden_from ? question : whole
  const [shown, inDays] = await Promise.all([
    shownCells(market, { ...question, names: question.known }),
    shownCells(market, { ...question, ...days, names: question.known }),
  ])
  const bounds = await selectHistogram<{ gpu_name: string; bounds: [number, number] }>(
    clickhouse,
    'prices/bounds',
    {
      ...parameters,
      step: days.step,
      from: days.from,
      to: days.to,
      stored_step: pooledStep(days.step),
      shown: [...inDays.names],
    },
  )
  const binsOf = new Map(bounds.map((row) => [row.gpu_name, binsFor(row.bounds, question.bins)]))
  const bins = question.known.map((name) => binsOf.get(name) ?? noBins)
  const cells =
    bins.length > 0
      ? await selectHistogram<Cells>(clickhouse, 'prices/cells', {
          ...parameters,
          stored_step: pooledStep(question.step),
          lows: bins.map(({ low }) => low),
          widths: bins.map(({ width }) => width),
          bins: bins.map(({ count }) => count),
        })
      : []
  const withRows = cells.map(({ gpu_name }) => gpu_name)
  const seen = await seenOf({ clickhouse, names }, question, { withRows, stored_step: hour })
  const { start, slots } = timelineOf(all, question)
  const gpus = byName(question.names, (name) =>
    emptyPrices(seen.has(name) ? { start, slots } : { start: [], slots: [] }, {
      bins: binsOf.get(name),
      hasRentals: state.has_rentals,
    }),
  )
  const places = start.map((bucket) => (bucket - question.from) / question.step)
  for (const { gpu_name, rented, bin, gpu_slots } of cells) {
    const gpu = gpus[gpu_name]
    if (!gpu) continue
    const counts = places.map((place) => gpu_slots[place] ?? 0)
    if (rented) addRented(gpu, bin, { counts, isShown: (bucket) => shown.has(gpu_name, bucket) })
    else if (gpu.available[bin]) gpu.available[bin] = counts
  }
  return gpus
}

/** The bins of a name that shows no prices. */
const noBins: Bins = { low: 0, width: 1, count: 0 }

/** Adds rented GPUs of a bin: to the bin in buckets that show prices of rented GPUs, otherwise to the GPUs without a price. */
function addRented(
  gpu: GpuPrices,
  bin: number,
  { counts, isShown }: { counts: readonly number[]; isShown: (bucket: number) => boolean },
): void {
  for (const [index, bucket] of gpu.timestamps.entries()) {
    const count = counts[index] ?? 0
    if (isShown(bucket)) {
      const row = gpu.rented[bin]
      if (row) row[index] = count
    } else if (count > 0) {
      if (gpu.reason[index] === null) for (const row of gpu.rented) row[index] = null
      gpu.rented_unpriced[index] = (gpu.rented_unpriced[index] ?? 0) + count
      gpu.reason[index] = 'few_hosts'
    }
  }
}

function emptyPrices(
  { start, slots }: { start: number[]; slots: number[] },
  { bins, hasRentals }: { bins: Bins | undefined; hasRentals: boolean },
): GpuPrices {
  const filled = <Count extends 0 | null>(count: Count) =>
    Array.from({ length: bins?.count ?? 0 }, () => new Array<Count | number>(start.length).fill(count))
  return {
    timestamps: start,
    slots,
    edges: bins ? edgesOf(bins) : [],
    available: filled(0),
    rented: filled(hasRentals ? 0 : null),
    rented_unpriced: new Array<number>(start.length).fill(0),
    reason: start.map(() => rentalsReason(hasRentals)),
  }
}
