import { setImmediate as turn } from 'node:timers/promises'
import { day } from '../../../../contract/durations.ts'
import { ofProduct } from '../../../../contract/market-filter.ts'
import type { MachineFit, MarketFit } from '../../../../estimates/pooled/advise.ts'
import type { CountedMachine } from '../../../../estimates/pooled/counts.ts'
import {
  type FindMachine,
  type FittedMarket,
  type FittedProduct,
  fitMarket,
  openFit,
} from '../../../../estimates/pooled/market.ts'
import { groupBy } from '../../../../platform/group-by.ts'
import { openReadCache } from '../../../../platform/read-cache.ts'
import type { Postgres } from '../../../../platform/stores/postgres.ts'
import { recordedLongestPair } from '../../../../platform/stores/slot-interval.ts'
import type { Stores } from '../../../../platform/stores/stores.ts'
import { seeded } from '../../../../simulate/random.ts'
import { slotsIn } from '../../../market/market-query/timeline.ts'
import { type ComparedAt, statements } from '../comparables.ts'
import { openRowsByName } from '../rows-by-name.ts'
import { drawsOf } from './plan.ts'
import { fitRange } from './read-counts.ts'
import { readMarket } from './read-market.ts'
import {
  loadedFit,
  loadedProduct,
  type StoredFit,
  type StoredProduct,
  storedFit,
  storedProduct,
} from './stored-fit.ts'

const kind = 'pooled_fit'
/** The version of the stored form and of the estimate. A change makes all stored fits void. */
const form = 5

/** A fit that ends earlier before the newest one is not used. */
const oldestFit = day

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

async function fitAt(
  { postgres, clickhouse }: Stores,
  at: ComparedAt,
  edition: Edition,
): Promise<FittedMarket> {
  const longest = await recordedLongestPair(postgres)
  const steps = fitMarket(await readMarket(clickhouse, at, { ...edition, longest }), seeded(1))
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await turn()
  }
}

/** The product of a machine, in the fit of its market. */
export interface FoundProduct {
  market: MarketFit
  product: FittedProduct
}

interface FoundMachine extends FoundProduct {
  /** Draws its rates. */
  open(): MachineFit | null
}

/** Finds machines of some GPU names in the fit of their market. Null: the fit does not have the product. */
export type Fits = (
  names: readonly string[],
  at: ComparedAt,
) => Promise<(machine: CountedMachine) => FoundMachine | null>

/** Products of a fit by GPU name, and their machines. */
interface OpenedFit {
  market: MarketFit
  find: FindMachine
  productsOf(names: readonly string[]): Promise<Map<string, FittedProduct[]>>
}

// API and workers of a process read the same fits, so that they share plans. They end with their database.
const fitsOf = new WeakMap<Postgres, Fits>()

/** Fits as a worker stored them, mostly an hour old at most. Where none is stored, they are computed. */
export function openFits(stores: Stores): Fits {
  const fits = fitsOf.get(stores.postgres) ?? readFits(stores)
  fitsOf.set(stores.postgres, fits)
  return fits
}

function readFits(stores: Stores): Fits {
  const computed = openReadCache<string, OpenedFit, { at: ComparedAt; edition: Edition }>({
    max: 1,
    async fetchMethod(_key, _stale, { context: { at, edition } }) {
      const { fit, products } = await fitAt(stores, at, edition)
      const byName = groupBy(products, ({ gpu_name }) => gpu_name)
      return { market: fit, find: openFit(fit, drawsOf), productsOf: async () => byName }
    },
  })
  const stored = openReadCache<string, OpenedFit[]>({
    max: 1,
    fetchMethod: (edition) => readStored(stores.postgres, edition),
  })
  return async (names, at) => {
    const edition = editionOf(at)
    if (!edition || names.length === 0) return () => null
    const newest = await newestEdition(stores.postgres)
    const isKept = newest !== undefined && isUsable(JSON.parse(newest), edition)
    const [kept] = isKept ? await stored.forceFetch(newest) : []
    const opened = kept ?? (await computed.forceFetch(JSON.stringify(edition), { context: { at, edition } }))
    const products = await opened.productsOf(names)
    return (machine) => {
      const [product] = ofProduct(machine, products.get(machine.gpu_name) ?? [])
      if (!product) return null
      return { market: opened.market, product, open: () => opened.find(machine, [product]) }
    }
  }
}

/** A stored fit; none: a newer one has replaced it. */
async function readStored(postgres: Postgres, edition: string): Promise<OpenedFit[]> {
  const rowsOf = async <Row>(names: readonly string[]): Promise<Row[]> => {
    const { rows } = await postgres.query<{ rows: Row[] }>('comparables/kept', [kind, edition, names])
    return rows.flatMap((one) => one.rows)
  }
  return (await rowsOf<StoredFit>([''])).map((row) => {
    const market = loadedFit(row)
    const memory = openRowsByName<FittedProduct>()
    return {
      market,
      find: openFit(market, drawsOf),
      productsOf: (names) =>
        memory(names, {}, async (missing) => (await rowsOf<StoredProduct>(missing)).map(loadedProduct)),
    }
  })
}

/** The edition of the newest stored fit. */
const newestEdition = async (postgres: Postgres): Promise<string | undefined> =>
  (await postgres.query<{ edition: string }>('comparables/edition', [kind, ''])).rows[0]?.edition

const isUsable = (stored: Edition, wanted: Edition): boolean =>
  stored.form === form &&
  stored.statements === statements &&
  stored.to > wanted.to - oldestFit &&
  stored.to <= wanted.to

/** Fits a market and stores the fit, if the newest one is missing. Returns true if it did. */
export async function storeFit(stores: Stores, at: ComparedAt): Promise<boolean> {
  const { postgres } = stores
  const edition = editionOf(at)
  if (!edition) return false
  const version = JSON.stringify(edition)
  if ((await newestEdition(postgres)) === version) return false
  const { fit, products } = await fitAt(stores, at, edition)
  const byName: Record<string, (StoredFit | StoredProduct)[]> = { '': [storedFit(fit)] }
  for (const product of products) {
    await turn()
    byName[product.gpu_name] = [...(byName[product.gpu_name] ?? []), storedProduct(product)]
  }
  await postgres.query('comparables/keep', [kind, version, JSON.stringify(byName)])
  return true
}
