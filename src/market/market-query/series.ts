import { newestCoverage } from '../../../collect/site-source.ts'
import type { GpuName } from '../../../contract/names.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { filledSince } from '../../../platform/stores/backfills.ts'
import { type ClickHouse, selectColumns, selectRows } from '../../../platform/stores/clickhouse.ts'
import { isOwnMarket } from '../../../platform/stores/own-market.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { observedSince } from '../../../platform/stores/retention.ts'
import { one } from '../../../platform/stores/rows.ts'

/** The present range of the series. Times are unix seconds, 0 in an empty series. `revision` changes whenever an answer may change. */
export interface SeriesState {
  revision: number
  /** Changes whenever a day is published, which `revision` does not. */
  published: number
  first_slot: number
  newest_slot: number
  simulated_from: number
  simulated_to: number
  /** The time since which all observations are kept. */
  observed_since: number
  /** The time since which derived rows were computed by this release. */
  filled_since: number
  /** True: the site's own market, where prices of few rented GPUs are hidden. False: the market of a source, where all prices are public. */
  is_own: boolean
  /** False: no source of the series reports which GPUs are rented, so figures that need rentals are unknown. */
  has_rentals: boolean
}

type StateRow = Omit<SeriesState, 'observed_since' | 'filled_since' | 'is_own' | 'has_rentals'> & {
  sources: string[]
}

/** A view of the series that all requests share. */
export interface SeriesView {
  state(): Promise<SeriesState>
  /** True if `state()` would return this state now. */
  isNewest(state: SeriesState): boolean
  names(): Promise<readonly GpuName[]>
  /** The slots that readers may see, in order: 420 kB for a year of five-minute slots. */
  slots(): Promise<Uint32Array>
  /** The share of the market that the newest slot has; undefined: its source does not know it. */
  coverage(): Promise<number | undefined>
}

/**
 * Reads the series at most once in `maxAgeMs`, and the names and the slots once per revision, for any number of requests.
 * A failure is not cached.
 */
export function watchSeries(postgres: Postgres, clickhouse: ClickHouse, maxAgeMs = 1000): SeriesView {
  const states = openReadCache<'state', SeriesState>({
    max: 1,
    ttl: maxAgeMs,
    ttlResolution: 0,
    fetchMethod: async () => {
      const [rows, observed_since, filled_since, is_own, priceOnly] = await Promise.all([
        selectRows<StateRow>(clickhouse, 'series/state'),
        observedSince(postgres),
        filledSince(postgres),
        isOwnMarket(postgres),
        postgres.query<{ source: string }>('SELECT source FROM price_only_sources'),
      ])
      const { sources, ...state } = one(rows)
      const without = new Set(priceOnly.rows.map(({ source }) => source))
      const has_rentals = sources.length === 0 || sources.some((source) => !without.has(source))
      return { ...state, observed_since, filled_since, is_own, has_rentals }
    },
  })
  const names = oncePerRevision(() => selectRows<GpuName>(clickhouse, 'names/list'))
  const slots = oncePerRevision(async () => {
    const query = 'series/slots'
    return Uint32Array.from((await selectColumns<{ slot: number[] }>(clickhouse, query, {})).slot)
  })
  const coverage = oncePerRevision(async () => ({ share: (await newestCoverage(postgres))?.share }))
  // An age of 0 would mean no limit to the cache.
  const options = { forceRefresh: maxAgeMs === 0 }
  const state = () => states.forceFetch('state', options)
  return {
    state,
    isNewest: (state) => maxAgeMs !== 0 && states.peek('state') === state,
    names: async () => names((await state()).revision),
    slots: async () => slots((await state()).revision),
    coverage: async () => (await coverage((await state()).revision)).share,
  }
}

function oncePerRevision<Value extends object>(read: () => Promise<Value>) {
  const cache = openReadCache<number, Value>({
    max: 1,
    fetchMethod: read,
  })
  return (revision: number) => cache.forceFetch(revision)
}
