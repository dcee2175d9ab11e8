import { newestCoverage } from '../../../collect/site-source.ts'
import type { GpuName } from '../../../contract/names.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { filledSince } from '../../../platform/stores/backfills.ts'
import { type ClickHouse, selectColumns, selectRows } from '../../../platform/stores/clickhouse.ts'
import { marketDelay } from '../../../platform/stores/market-delay.ts'
import { isOwnMarket } from '../../../platform/stores/own-market.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { rentalsKnown } from '../../../platform/stores/rentals-known.ts'
import { observedSince } from '../../../platform/stores/retention.ts'
import { one } from '../../../platform/stores/rows.ts'

/** The present range of the series. Times are unix seconds, 0 in an empty series. `revision` changes whenever an answer may change. */
export interface SeriesState {
  revision: number
  /** Changes whenever a day is published, which `revision` does not. */
  published: number
  first_slot: number
  /** The newest slot that readers may see. */
  newest_slot: number
  /** The newest slot of the series. It is later than `newest_slot` where the market is shown late. */
  recorded_slot: number
  /** The first slot that readers may not see yet; `never`: they may see all. */
  hidden_from: number
  /** Seconds by which readers see the newest slots late; 0: at once. */
  delay: number
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

type Noted = 'observed_since' | 'filled_since' | 'is_own' | 'has_rentals'
type StateRow = Omit<SeriesState, Noted | 'recorded_slot' | 'hidden_from' | 'delay'> & {
  sources: string[]
}

/** The latest time that ClickHouse can store. */
const never = 2 ** 32 - 1

/** A view of the series that all requests share. */
export interface SeriesView {
  state(): Promise<SeriesState>
  /** True if `state()` would return this state now. */
  isNewest(state: SeriesState): boolean
  names(): Promise<readonly GpuName[]>
  /** The slots that readers may see, in order: 420 kB for a year of five-minute slots. */
  slots(): Promise<Uint32Array>
  /** The state and all slots, for the holder of a machine and for operators. Others must not learn of slots that are not shown yet. */
  recorded(): Promise<{ state: SeriesState; slots: Uint32Array }>
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
    fetchMethod: () => readState(postgres, clickhouse),
  })
  const names = oncePerRevision(({ hidden_from: before }) =>
    selectRows<GpuName>(clickhouse, 'names/list', { before }),
  )
  const all = oncePerRevision(async () => {
    const query = 'series/slots'
    return Uint32Array.from((await selectColumns<{ slot: number[] }>(clickhouse, query, {})).slot)
  })
  const slots = oncePerRevision(async (state) => {
    const recorded = await all(state)
    return state.hidden_from === never ? recorded : recorded.filter((slot) => slot < state.hidden_from)
  })
  const coverage = oncePerRevision(async () => ({ share: (await newestCoverage(postgres))?.share }))
  // An age of 0 would mean no limit to the cache.
  const options = { forceRefresh: maxAgeMs === 0 }
  const state = () => states.forceFetch('state', options)
  return {
    state,
    isNewest: (state) => maxAgeMs !== 0 && states.peek('state') === state,
    names: async () => names(await state()),
    slots: async () => slots(await state()),
    async recorded() {
      const now = await state()
      return { state: { ...now, newest_slot: now.recorded_slot, hidden_from: never }, slots: await all(now) }
    },
    coverage: async () => (await coverage(await state())).share,
  }
}

/** Reads the state of the series now. */
async function readState(postgres: Postgres, clickhouse: ClickHouse): Promise<SeriesState> {
  const [rows, observed_since, filled_since, is_own, delay] = await Promise.all([
    selectRows<StateRow>(clickhouse, 'series/state'),
    observedSince(postgres),
    filledSince(postgres),
    isOwnMarket(postgres),
    marketDelay(postgres),
  ])
  const { sources, ...state } = one(rows)
  const [shown, has_rentals] = await Promise.all([
    shownSlots(clickhouse, state, delay),
    rentalsKnown(postgres, sources),
  ])
  return { ...state, ...shown, observed_since, filled_since, is_own, has_rentals }
}

/** The slots that readers may see, of a series whose newest slots they see late. Slots count from the newest one: no clock decides. */
export async function shownSlots(
  clickhouse: ClickHouse,
  { newest_slot }: Pick<SeriesState, 'newest_slot'>,
  delay: number,
): Promise<Pick<SeriesState, 'newest_slot' | 'recorded_slot' | 'hidden_from' | 'delay'>> {
  const at = { newest_slot, recorded_slot: newest_slot, hidden_from: never, delay }
  if (delay === 0 || newest_slot === 0) return at
  const query = 'series/shown'
  const parameters = { shown: newest_slot - delay }
  const rows = await selectRows<Pick<SeriesState, 'newest_slot' | 'hidden_from'>>(
    clickhouse,
    query,
    parameters,
  )
  return { ...at, ...one(rows) }
}

/** The version of everything that readers may see of the series: without blanks, since keys of caches begin with it and a blank. */
export const versionOf = ({ revision, hidden_from }: Pick<SeriesState, 'revision' | 'hidden_from'>): string =>
  `${revision}-${hidden_from}`

function oncePerRevision<Value extends object>(read: (state: SeriesState) => Promise<Value>) {
  const cache = openReadCache<string, Value, SeriesState>({
    max: 1,
    fetchMethod: (_key, _stale, { context }) => read(context),
  })
  return (state: SeriesState) => cache.forceFetch(versionOf(state), { context: state })
}
