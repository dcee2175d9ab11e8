import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { hour } from '../../../contract/durations.ts'
import { cloudMemoryOf, cloudNameOf } from '../../../contract/gpu-types.ts'
import { ceilTo, floorTo } from '../../../contract/ladder.ts'
import {
  type CloudGpu,
  type CloudOffer,
  listPricesAnswer,
  listPricesQuery,
} from '../../../contract/list-prices.ts'
import { type CatalogState, catalogStates, isCurrent, unmappedNames } from '../../../ingest/read-catalogs.ts'
import type { Clock } from '../../../platform/clock.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { firstSentence, refuseFuture } from '../market-query/answers.ts'

interface Options {
  postgres: Postgres
  clickhouse: ClickHouse
  clock: Clock
}

const description = `The cheapest offer of each cloud, on demand and spot, from catalogs of list prices, and its price over time. A list price has no quantity of GPUs. List prices are the same for every market of the site.`

/** GET /api/v0/metrics/gpu/list-prices */
export const listPricesRoute: FastifyPluginAsyncZod<Options> = async (app, options) => {
  app.get(
    '/api/v0/metrics/gpu/list-prices',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        withoutMachine: { catalogs: [], gpus: {}, unmapped: [] },
      },
      schema: {
        operationId: 'getListPrices',
        summary: 'Prices of clouds',
        description,
        tags: ['metrics'],
        querystring: listPricesQuery,
        response: { 200: listPricesAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async ({ query }) => {
      refuseFuture(query, Math.floor(options.clock.now()))
      return { success: true as const, needs_machine: false, ...(await readListPrices(options, query)) }
    },
  )
}

type Row = Omit<CloudOffer, 'as_of' | 'is_current'> & { gpu_name: string }
type Point = Pick<Row, 'gpu_name' | 'catalog' | 'provider' | 'spot' | 'gpu_memory' | 'price'> & {
  point: number
}

async function readListPrices(
  { postgres, clickhouse, clock }: Options,
  query: z.output<typeof listPricesQuery>,
) {
  const now = Math.floor(clock.now())
  const isAll = query.gpu_name.some((name) => name.toLowerCase() === 'all')
  const names = isAll ? [] : query.gpu_name.map(cloudNameOf)
  const range = query.start === undefined ? undefined : rangeOf({ ...query, start: query.start }, now)
  const [states, offers, unmapped, points] = await Promise.all([
    catalogStates(postgres),
    selectRows<Row>(clickhouse, 'list_prices/current', { names }),
    unmappedNames(clickhouse),
    range ? selectRows<Point>(clickhouse, 'list_prices/history', { names, ...range }) : [],
  ])
  const stateOf = new Map(states.map((state) => [keyOf(state), state]))
  const asOf = (of: Pick<CatalogState, 'catalog' | 'provider'>) => stateOf.get(keyOf(of))?.read_at ?? 0
  const timestamps = range ? pointsOf(range) : []
  const gpus: Record<string, CloudGpu> = Object.fromEntries(
    names.map((name) => [name, { cheapest: [], timestamps, series: [] }]),
  )
  const isWanted = ({ gpu_name, gpu_memory }: Pick<Row, 'gpu_name' | 'gpu_memory'>) =>
    query.gpu_memory === 0 || cloudMemoryOf(gpu_name, gpu_memory) === query.gpu_memory
  for (const { gpu_name, ...offer } of offers.filter(isWanted)) {
    const as_of = asOf(offer)
    const gpu = gpus[gpu_name] ?? { cheapest: [], timestamps, series: [] }
    gpus[gpu_name] = gpu
    gpu.cheapest.push({ ...offer, ...sized(offer), as_of, is_current: isCurrent({ read_at: as_of }, now) })
  }
  for (const own of groupBy(
    points.filter(isWanted),
    (point) => `${point.gpu_name}\t${keyOf(point)}\t${point.spot}`,
  ).values()) {
    const [{ gpu_name, catalog, provider, spot } = { gpu_name: '', catalog: '', provider: '', spot: false }] =
      own
    // Rows are sorted so that the lowest price of several sizes of memory is written last, and stays.
    const priceAt = new Map(own.map(({ point, price }) => [point, price]))
    // Prices are not continued past the newest reading of their catalog.
    const last = asOf({ catalog, provider })
    const prices = timestamps.map((time) => (time > last ? null : (priceAt.get(time) ?? null)))
    gpus[gpu_name]?.series.push({ catalog, provider, spot, prices })
  }
  return {
    catalogs: states.map(({ place: _, ...state }) => ({ ...state, is_current: isCurrent(state, now) })),
    gpus,
    unmapped: unmapped.map((row) => ({ ...row, ...sized(row) })),
  }
}

const keyOf = ({ catalog, provider }: { catalog: string; provider: string }) => `${catalog}\t${provider}`
const sized = ({ gpu_memory }: { gpu_memory: number | null }) => ({ gpu_memory: gpu_memory || null })

const mostPoints = 1000

interface Points {
  from: number
  to: number
  step: number
}

/** The range in whole buckets. */
function rangeOf(
  query: { start: number; end?: number | undefined; step?: number | undefined },
  now: number,
): Points {
  const { start, end = now } = query
  const wanted = query.step ?? ceilTo(hour, Math.max(hour, (end - start) / 200))
  const least = (end - start) / mostPoints
  const step = wanted >= least ? wanted : ceilTo(hour, least)
  return { from: floorTo(step, start), to: ceilTo(step, end), step }
}

const pointsOf = ({ from, to, step }: Points): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step)
