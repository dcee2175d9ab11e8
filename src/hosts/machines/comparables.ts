import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { hour, week } from '../../../contract/durations.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { bookDays, floorTo } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type SeenFlows, withSeenTimes } from '../../../estimates/between-sights.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { sqlTexts } from '../../../sql/texts.ts'
import { bookAt, type Level } from '../../market/depth/book.ts'
import { bookRange, readMeanAsks } from '../../market/depth/mean-book.ts'
import { everything } from '../../market/market-query/select.ts'
import type { SeriesState, SeriesView } from '../../market/market-query/series.ts'
import { slotsIn } from '../../market/market-query/timeline.ts'
import type { HostInClass } from './comp-set.ts'
import type { ClassFlow } from './compared.ts'
import { openRowsByName, type RowsByName } from './rows-by-name.ts'

export interface ComparedAt {
  state: SeriesState
  /** The slots that readers may see, in order. */
  slots: Uint32Array
}

export const comparedAt = async (series: SeriesView): Promise<ComparedAt> => ({
  state: await series.state(),
  slots: await series.slots(),
})

interface Named {
  gpu_name: string
}

/** A kind of rows that the machines of all hosts are compared with, by GPU name. */
interface Kind<Row extends Named> {
  name: string
  /** A version that changes whenever the rows may change. */
  edition(at: ComparedAt): Record<string, number>
  read(clickhouse: ClickHouse, names: readonly string[], at: ComparedAt): Promise<Row[]>
}

/**
 * The week of flows and comp sets, in whole hours: they are read once an hour, or when older slots have arrived. Corrections to
 * the past appear within an hour.
 */
export function comparedHours({ newest_slot: slot }: Pick<SeriesState, 'newest_slot'>) {
  const to = floorTo(hour, slot)
  return { from: Math.max(0, to - week), to }
}

function hourly({ state, slots }: ComparedAt): Record<string, number> {
  const hours = comparedHours(state)
  return { ...hours, slots: slotsIn(slots, hours) }
}

const everySlot = ({ state }: ComparedAt) => ({ slot: state.newest_slot, revision: state.revision })

const overHours =
  <Row>(statement: string) =>
  (clickhouse: ClickHouse, names: readonly string[], { state }: ComparedAt): Promise<Row[]> =>
    selectRows<Row>(clickhouse, `machines/${statement}`, {
      names,
      ...comparedHours(state),
    })

export const flows: Kind<ClassFlow> = {
  name: 'flows',
  edition: hourly,
  read: async (...asked) => {
    const rows = await overHours<ClassFlow & SeenFlows>('class_flows')(...asked)
    return [...groupBy(rows, ({ gpu_name }) => gpu_name).values()].flatMap(withSeenTimes)
  },
}

export const compSets: Kind<HostInClass> = {
  name: 'comp_sets',
  edition: hourly,
  read: overHours('comp_sets'),
}

/** The name for the flows of all GPU names together. */
export const wholeMarket = ''

/** The flows of all GPU names together. */
export const marketFlows: Kind<ClassFlow> = {
  name: 'market_flows',
  edition: hourly,
  read: (clickhouse, _names, at) => flows.read(clickhouse, [], at),
}

export const meanBook: Kind<Level> = {
  name: 'mean_book',
  edition: everySlot,
  read: (clickhouse, names, { state, slots }) =>
    readMeanAsks(
      clickhouse,
      { ...everything, names },
      { ...bookRange(state.newest_slot, bookDays, state), slots },
    ),
}

/** The book of the newest slot. */
export const bookOf = (filter: MarketFilter): Kind<Level> => ({
  name: `book ${JSON.stringify(filterOf(filter))}`,
  edition: everySlot,
  read: (clickhouse, names, { state }) =>
    bookAt(clickhouse, { ...filter, names, by_memory: true }, { slot: state.newest_slot, state }),
})

/** Rows of GPU names: from memory, otherwise as stored by a worker, otherwise from ClickHouse. */
export type Comparables = <Row extends Named>(
  kind: Kind<Row>,
  names: readonly string[],
  at: ComparedAt,
) => Promise<Map<string, Row[]>>

export function openComparables({ postgres, clickhouse }: Stores): Comparables {
  const memories = new LRUCache<string, RowsByName<Named>>({ max: 50 })
  return async <Row extends Named>(kind: Kind<Row>, names: readonly string[], at: ComparedAt) => {
    const memory = memories.get(kind.name) ?? openRowsByName<Named>()
    memories.set(kind.name, memory)
    const found = await memory(names, kind.edition(at), async (missing) => {
      const kept = await readStored(postgres, kind, { names: missing, at })
      const others = missing.filter((name) => !kept.has(name))
      return [
        ...[...kept.values()].flat(),
        ...(others.length > 0 ? await kind.read(clickhouse, others, at) : []),
      ]
    })
    return found as Map<string, Row[]>
  }
}

/** The version of all statements: rows stored by another release may have other columns. */
export const statements = createHash('sha256')
  .update(JSON.stringify([...sqlTexts]))
  .digest('base64')
const cacheVersion = (kind: Kind<Named>, at: ComparedAt): string =>
  JSON.stringify({ ...kind.edition(at), statements })

async function readStored(
  postgres: Postgres,
  kind: Kind<Named>,
  { names, at }: { names: readonly string[]; at: ComparedAt },
): Promise<Map<string, Named[]>> {
  const { rows } = await postgres.query<{ gpu_name: string; rows: Named[] }>('comparables/kept', [
    kind.name,
    cacheVersion(kind, at),
    names,
  ])
  return new Map(rows.map(({ gpu_name, rows }) => [gpu_name, rows]))
}

const storedKinds: readonly Kind<Named>[] = [
  flows,
  compSets,
  meanBook,
  ...(['yes', 'all'] as const).map((verified) => bookOf({ ...everything, verified })),
]

/**
 * Stores the comparables of the newest slot, if they are missing, for all processes that answer requests. Readers compute missing
 * ones themselves, so this may run late, twice or never. Returns the number of computed kinds.
 */
export async function storeComparables(
  { postgres, clickhouse }: Stores,
  series: SeriesView,
  stopping?: AbortSignal,
): Promise<number> {
  const at = await comparedAt(series)
  const names = (await series.names())
    .filter(({ last_seen }) => last_seen > at.state.newest_slot - week)
    .map(({ name }) => name)
  let made = 0
  const keep = async (kind: Kind<Named>, names: readonly string[]) => {
    const there = await readStored(postgres, kind, { names: names.slice(0, 1), at })
    if (stopping?.aborted || names.length === 0 || there.size > 0) return
    const rows = groupBy(await kind.read(clickhouse, names, at), ({ gpu_name }) => gpu_name)
    const byName = Object.fromEntries(names.map((name) => [name, rows.get(name) ?? []]))
    const query = 'comparables/keep'
    await postgres.query(query, [kind.name, cacheVersion(kind, at), JSON.stringify(byName)])
    made += 1
  }
  await keep(marketFlows, [wholeMarket])
  for (const kind of storedKinds) await keep(kind, names)
  return made
}
