import type { z } from 'zod'
import { sameName } from '../../../contract/gpu-names.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type MarketPlace, placesAnswer, placesQuery } from '../../../contract/places.ts'
import { regionOf } from '../../../contract/regions.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { newestSlot } from '../market-query/answers.ts'
import { rentalsReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'

const description = `GPUs of the newest market snapshot by country or region, with occupancy and prices, largest number of GPUs first. In a market of the
site itself, places with fewer than 5 machines or 3 hosts are merged, since their occupancy would reveal which machines are rented.`

interface PlacesQuestion extends z.output<typeof placesQuery> {
  isOwn: boolean
  hasRentals: boolean
  /** A range with the newest slot only; 0 and 0 without a slot. */
  from: number
  to: number
}

export const placesRoute = marketRoute({
  path: 'places',
  operationId: 'getGpuPlaces',
  summary: 'GPUs, occupancy and prices by place',
  description,
  query: placesQuery,
  answer: placesAnswer,
  withoutMachine: { slot: null, reason: null, occupancy: null, places: [] },
  resolve: (query, moment) => ({
    ...query,
    gpu_name: moment.names.find(({ name }) => sameName(name, query.gpu_name))?.name ?? query.gpu_name,
    isOwn: moment.state.is_own,
    hasRentals: moment.state.has_rentals,
    ...newestSlot(moment),
  }),
  open:
    ({ clickhouse }) =>
    async (question) => ({
      slot: question.from || null,
      reason: rentalsReason(question.hasRentals),
      ...(await queryPlaces(clickhouse, question)),
    }),
})

type Now = Omit<MarketPlace, 'gpus_before' | 'occupancy' | 'usual_occupancy'> & { is_shown: boolean }
interface Rented {
  place: string
  rented: number
  usual: number
  total: number
}

async function queryPlaces(
  clickhouse: ClickHouse,
  { from: slot, isOwn, hasRentals, gpu_name, by, ...filter }: PlacesQuestion,
) {
  if (slot === 0) return { occupancy: null, places: [] }
  const codes = [...regionOf.keys()]
  const parameters = {
    ...filterOf(filter),
    slot,
    own: Number(isOwn),
    gpu_name: gpu_name.toLowerCase() === 'all' ? '' : gpu_name,
    codes,
    places: by === 'country' ? codes : [...regionOf.values()],
  }
  const [now, rented, before] = await Promise.all([
    selectRows<Now>(clickhouse, 'locations/places', parameters),
    hasRentals ? selectRows<Rented>(clickhouse, 'locations/rented', parameters) : [],
    selectRows<{ place: string; gpus: number }>(clickhouse, 'locations/before', parameters),
  ])
  const rentedOf = new Map(rented.map((row) => [row.place, row]))
  const gpusBefore = new Map(before.map(({ place, gpus }) => [place, gpus]))
  const sum = (of: (row: Rented) => number) => rented.reduce((total, row) => total + of(row), 0)
  const share = (part: number, whole: number) => (hasRentals && whole > 0 ? part / whole : null)
  return {
    occupancy: share(
      sum((row) => row.rented),
      sum((row) => row.total),
    ),
    places: now.map(({ is_shown, rented_median, ...row }): MarketPlace => {
      const { rented = 0, usual = 0, total = 0 } = (is_shown && rentedOf.get(row.place)) || {}
      return {
        ...row,
        // The difference of two tiers could show the price of a few contracts.
        rented_median: isOwn && filter.tier !== 'all' ? null : rented_median,
        gpus_before: before.length > 0 ? (gpusBefore.get(row.place) ?? 0) : null,
        occupancy: share(rented, total),
        usual_occupancy: share(usual, total),
      }
    }),
  }
}
