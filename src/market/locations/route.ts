import { type Location, locationsAnswer } from '../../../contract/locations.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { newestSlot } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'

const description = `Where the GPUs of the newest market snapshot are: one row for each place, GPU type and state, largest number of GPUs first.
Places with equal coordinates are merged. Rented GPUs have no place, except in the market of a source, since a place with few machines would reveal
which are rented.`

export const locationsRoute = marketRoute({
  path: 'locations',
  operationId: 'getGpuLocations',
  summary: 'GPU locations now',
  description,
  answer: locationsAnswer,
  withoutMachine: { locations: [] },
  resolve: (_, moment) => ({ ...newestSlot(moment), isOwn: moment.state.is_own }),
  open:
    ({ postgres, clickhouse }) =>
    async (question) => ({ locations: await queryLocations(postgres, clickhouse, question) }),
})

type Place = Pick<Location, 'city' | 'country_code' | 'latitude' | 'longitude'>

interface Machine extends Omit<Location, keyof Place> {
  machine_id: number
  country_code: string
  is_listed: number
  datacenter: boolean
}

async function queryLocations(
  postgres: Postgres,
  clickhouse: ClickHouse,
  { from: slot, isOwn }: { from: number; isOwn: boolean },
): Promise<Location[]> {
  const query = 'locations/machines'
  const machines = await selectRows<Machine>(clickhouse, query, { slot })
  const ids = new Set(machines.filter(({ is_listed }) => is_listed).map(({ machine_id }) => machine_id))
  const { rows } = await postgres.query<Place & { id: number }>('market/places', [[...ids]])
  const placeOf = new Map(rows.map(({ id, ...place }) => [id, place]))

  const locations = new Map<string, Location>()
  for (const { machine_id, is_listed, country_code, num_gpus, ...state } of machines) {
    const known = is_listed ? placeOf.get(machine_id) : undefined
    const unknown = { city: '', country_code, latitude: null, longitude: null }
    // Where few machines are, a place would reveal which of them are rented.
    const place = isOwn && is_listed && state.rented ? { ...unknown, country_code: '' } : (known ?? unknown)
    const { latitude, longitude, city } = place
    const where = latitude === null ? [city, place.country_code] : [latitude, longitude]
    const { gpu_name, rented, verified } = state
    const datacenter = Boolean(state.datacenter)
    const key = JSON.stringify([...where, gpu_name, rented, verified, datacenter])
    const found = locations.get(key) ?? { gpu_name, ...place, num_gpus: 0, rented, verified, datacenter }
    locations.set(key, { ...found, num_gpus: found.num_gpus + num_gpus })
  }
  return [...locations.values()].sort((a, b) => b.num_gpus - a.num_gpus || (a.gpu_name < b.gpu_name ? -1 : 1))
}
