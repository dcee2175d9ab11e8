import type { MachineFit } from '../../../../estimates/pooled/advise.ts'
import type { CountedMachine } from '../../../../estimates/pooled/counts.ts'
import { type FittedMarket, fitMarket, openFit } from '../../../../estimates/pooled/market.ts'
import { openReadCache } from '../../../../platform/read-cache.ts'
import type { Postgres } from '../../../../platform/stores/postgres.ts'
import { recordedLongestPair } from '../../../../platform/stores/slot-interval.ts'
import type { Stores } from '../../../../platform/stores/stores.ts'
import { seeded } from '../../../../simulate/random.ts'
import { evictOldVersions } from '../../../market/market-query/evict-old-versions.ts'
import { versionOf, watchSeries } from '../../../market/market-query/series.ts'
import { slotsIn } from '../../../market/market-query/timeline.ts'
import { type ComparedAt, statements } from '../comparables.ts'
import { fitRange } from './read-counts.ts'
import { readMarket } from './read-market.ts'
import { loadedMarket, type StoredFit, type StoredProduct, storedFit, storedProduct } from './stored-fit.ts'

const kind = 'pooled_fit'
/** The version of the stored form and of the estimate. A change makes all stored fits void. */
const form = 1

/** A fit that ends earlier before the newest one is not used. */
const oldestFit = 86_400

interface Edition {
  from: number
  to: number
  slots: number
  form: number
  statements: string
}

/** The version of the next fit; null: there is no slot, or no source knows which GPUs are rented. */
function editionOf(at: ComparedAt): Edition | null {
  const range = at.state.has_rentals ? fitRange(at) : null
  return range && { ...range, slots: slotsIn(at.slots, range), form, statements }
}

/** Draws are always the same, so advice changes only with the counts. */
const uniform = () => seeded(1)

async function fitAt(
  { postgres, clickhouse }: Stores,
  at: ComparedAt,
  edition: Edition,
): Promise<FittedMarket> {
  const longest = await recordedLongestPair(postgres)
  return fitMarket(await readMarket(clickhouse, at, { ...edition, longest }), uniform())
}

/** Finds machines of some GPU names in the fit of their market. Null: the fit does not have the product. */
export type Fits = (
  names: readonly string[],
  at: ComparedAt,
) => Promise<(machine: CountedMachine) => MachineFit | null>

/** Fits as a worker stored them, mostly an hour old at most. Where none is stored, they are computed. */
export function openFits(stores: Stores): Fits {
  const computed = openReadCache<string, FittedMarket, { at: ComparedAt; edition: Edition }>({
    max: 1,
    fetchMethod: (_key, _stale, { context: { at, edition } }) => fitAt(stores, at, edition),
  })
  const opened = openReadCache<string, ReturnType<typeof openFit>, FitQuery>({
    max: 200,
    async fetchMethod(_key, _stale, { context }) {
      const stored = await readStored(stores.postgres, context)
      const { edition } = context
      return openFit(stored ?? (await computed.forceFetch(JSON.stringify(edition), { context })), uniform)
    },
  })
  const keepOnly = evictOldVersions(opened)
  return async (names, at) => {
    const edition = editionOf(at)
    if (!edition || names.length === 0) return () => null
    const version = versionOf(at.state)
    keepOnly(version)
    return opened.forceFetch(`${version} ${JSON.stringify(names)}`, { context: { names, at, edition } })
  }
}

interface FitQuery {
  names: readonly string[]
  at: ComparedAt
  edition: Edition
}

/** The newest stored rows of some GPU names; undefined: there are none of this release, or they are too old. */
async function readStored(
  postgres: Postgres,
  { names, edition }: FitQuery,
): Promise<FittedMarket | undefined> {
  const [fit] = await newest<StoredFit>(postgres, [''])
  if (!fit || !isUsable(JSON.parse(fit.edition), edition)) return undefined
  const products = await newest<StoredProduct>(postgres, names)
  const ofFit = products.filter((one) => one.edition === fit.edition)
  const [row] = fit.rows
  return (
    row &&
    loadedMarket(
      row,
      ofFit.flatMap(({ rows }) => rows),
    )
  )
}

const newest = async <Row>(postgres: Postgres, names: readonly string[]) =>
  (await postgres.query<{ edition: string; rows: Row[] }>('comparables/newest', [kind, names])).rows

const isUsable = (stored: Edition, wanted: Edition): boolean =>
  stored.form === form &&
  stored.statements === statements &&
  stored.to > wanted.to - oldestFit &&
  stored.to <= wanted.to

/** Fits a market and stores the fit, if the newest one is missing. Returns true if it did. */
export async function storeFit(stores: Stores): Promise<boolean> {
  const { postgres, clickhouse } = stores
  const series = watchSeries(postgres, clickhouse)
  const at = { state: await series.state(), slots: await series.slots() }
  const edition = editionOf(at)
  if (!edition) return false
  const version = JSON.stringify(edition)
  const [kept] = await newest<StoredFit>(postgres, [''])
  if (kept?.edition === version) return false
  const { fit, products } = await fitAt(stores, at, edition)
  const byName: Record<string, (StoredFit | StoredProduct)[]> = { '': [storedFit(fit)] }
  for (const product of products)
    byName[product.gpu_name] = [...(byName[product.gpu_name] ?? []), storedProduct(product)]
  await postgres.query('comparables/keep', [kind, version, JSON.stringify(byName)])
  return true
}
