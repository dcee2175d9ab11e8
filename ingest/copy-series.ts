import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import { placeNames } from './place-names.ts'
import { holdSeries } from './write-series.ts'

interface Table {
  name: string
  is_versioned: boolean
}

interface Content {
  rows: number
  hash: string
}

export interface CopiedTable {
  table: string
  rows: number
}

interface CopyOptions {
  /** The ClickHouse database that has the series. */
  from: string
  /** The configured database, to which `clickhouse` is bound. */
  to: string
  onTable?: (table: CopiedTable) => void
}

/**
 * Copies all tables of a series from another ClickHouse database, for example from two shards to three, and compares both. On a
 * cluster the GPU names are placed by the number of their observations. No process writes to the series meanwhile. The other database is only read. Throws UsageError if the other database has no series
 * or the configured one has rows.
 */
export const copySeries = (
  stores: Stores,
  { from, to, onTable = () => {} }: CopyOptions,
): Promise<CopiedTable[]> =>
  holdSeries(stores, async ({ clickhouse }) => {
    if (from === to) throw new UsageError(`--from ${from} is the database of CLICKHOUSE_DATABASE itself.`)
    const tables = await selectRows<Table>(clickhouse, 'copy/tables')
    for (const table of tables) await requireEmpty(clickhouse, table, to)
    await placeNames(clickhouse, from)
    const copied: CopiedTable[] = []
    for (const table of tables) {
      const rows = await copyTable(clickhouse, table, { from, to })
      copied.push({ table: table.name, rows })
      onTable({ table: table.name, rows })
    }
    return copied
  })

async function requireEmpty(clickhouse: ClickHouse, table: Table, database: string): Promise<void> {
  const { rows } = await contentOf(clickhouse, table, database)
  if (rows > 0)
    throw new UsageError(
      `The database ${database} has ${rows} rows in ${table.name}. Only an empty database takes a copy: drop it, and copy again.`,
    )
}

async function copyTable(
  clickhouse: ClickHouse,
  table: Table,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const original = await contentOf(clickhouse, table, from)
  const partitions = await selectRows<{ partition: string }>(clickhouse, 'copy/partitions', {
    from,
    table: table.name,
  })
  // An insert may touch 100 partitions at most.
  for (const { partition } of partitions)
    await execute(clickhouse, 'copy/partition', { from, table: table.name, partition })
  const copy = await contentOf(clickhouse, table, to)
  if (copy.rows !== original.rows || copy.hash !== original.hash)
    throw new Error(
      `${table.name} has ${original.rows} rows in ${from}, and ${copy.rows} or other ones in ${to}. Drop the database ${to}, and copy again.`,
    )
  return copy.rows
}

const contentOf = async (clickhouse: ClickHouse, table: Table, database: string): Promise<Content> =>
  one(
    await selectRows<Content>(clickhouse, table.is_versioned ? 'copy/hash_of_newest' : 'copy/hash', {
      database,
      table: table.name,
    }),
  )
