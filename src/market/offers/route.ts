import { week } from '../../../contract/durations.ts'
import { ceilTo } from '../../../contract/ladder.ts'
import { type OfferedGpu, offeredPrices, offersAnswer } from '../../../contract/offers.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { newestSlot } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'

const description = `What a renter finds in the newest market snapshot: for each GPU type how many are free, their median price with its change, and the lowest prices.
Every account may ask: the marketplace shows these offers to everybody. It has nothing about rented GPUs.`

const courseStep = 21_600

interface OffersQuestion {
  /** A range with the newest slot only; 0 and 0 without a slot. */
  from: number
  to: number
}

export const offersRoute = marketRoute({
  path: 'offers',
  isForEveryAccount: true,
  operationId: 'getGpuOffers',
  summary: 'GPU offers now',
  description,
  answer: offersAnswer,
  resolve: (_query, moment): OffersQuestion => newestSlot(moment),
  open:
    ({ clickhouse }) =>
    async (question) => ({
      slot: question.from || null,
      gpus: await queryOffers(clickhouse, question),
    }),
})

type NowRow = Pick<OfferedGpu, 'gpu_name' | 'free_gpus' | 'price_median' | 'price_thin'> & {
  median_day: number | null
  median_week: number | null
}

async function queryOffers(clickhouse: ClickHouse, { from: slot }: OffersQuestion): Promise<OfferedGpu[]> {
  if (slot === 0) return []
  const [now, courses, cheapest] = await Promise.all([
    selectRows<NowRow>(clickhouse, 'offers/now', { slot }),
    selectRows<{ gpu_name: string; at: number; price: number }>(clickhouse, 'offers/course', { slot }),
    selectRows<{ gpu_name: string; price: number; gpus: number }>(clickhouse, 'offers/cheapest', {
      slot,
      most: offeredPrices,
    }),
  ])
  const courseOf = groupBy(courses, ({ gpu_name }) => gpu_name)
  const offersOf = groupBy(cheapest, ({ gpu_name }) => gpu_name)
  const first = ceilTo(courseStep, slot - week)
  const steps = Array.from(
    { length: Math.floor((slot - courseStep - first) / courseStep) + 1 },
    (_, index) => first + index * courseStep,
  )
  return now.map(({ median_day, median_week, ...gpu }) => {
    const prices = new Map(courseOf.get(gpu.gpu_name)?.map(({ at, price }) => [at, price]))
    return {
      ...gpu,
      change_1d: changeSince(median_day, gpu.price_median),
      change_7d: changeSince(median_week, gpu.price_median),
      course: steps.map((at) => prices.get(at) ?? null),
      offers: (offersOf.get(gpu.gpu_name) ?? []).map(({ price, gpus }) => ({ price, gpus })),
    }
  })
}

const changeSince = (before: number | null, now: number | null): number | null =>
  before && now !== null ? now / before - 1 : null
