import { afterAll, beforeAll, expect, it } from 'vitest'
import { check } from '../../ingest/check.ts'
import { fillPast } from '../../ingest/fill-past.ts'
import { loadAll } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { reconcile } from '../../ingest/reconcile.ts'
import { rangeToCheck } from '../../ingest/requested-range.ts'
import { type ClickHouse, execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { addSeen, day } from '../daily-market.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import type { MachineAtSlot } from '../oracle/history.ts'

/** A column of a derived table, as the schema has it. */
export interface Column {
  table: string
  name: string
  type: string
  is_in_sorting_key: number
}

/** Every column of every derived table: all tables except the tables of observations, which are the source, and the ledger of migrations. */
export const derivedColumns = (clickhouse: ClickHouse): Promise<Column[]> =>
  selectRows(
    clickhouse,
    `SELECT table, name, type, is_in_sorting_key FROM system.columns
     WHERE database = currentDatabase() AND default_kind != 'ALIAS' AND comment NOT LIKE 'Not used%' AND table NOT IN ('observations', 'list_prices', 'official', 'migrations')
       AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')
     ORDER BY table, position`,
  )

/** Another value of a column, as SQL. */
function otherValue({ name, type }: Column): string {
  if (name === 'revision') return 'revision + 1000000000000'
  if (type.startsWith('Array')) return `arrayConcat(${name}, ${name})`
  if (type === 'Bool') return `NOT ${name}`
  if (type.includes('String')) return `concat(${name}, 'x')`
  if (type.startsWith('Enum')) return `CAST((toInt8(${name}) + 1) % 3, '${type.replaceAll("'", "\\'")}')`
  if (type.startsWith('Nullable(DateTime')) return `ifNull(${name}, toDateTime(0, 'UTC')) + 7200`
  if (type.startsWith('DateTime')) return `${name} + 7200`
  if (type.startsWith('Nullable')) return `ifNull(${name}, 0) + 1`
  // Changes each part of a tuple.
  return type.startsWith('Tuple') ? `CAST(${name} + (1, 1, 1, 1), '${type}')` : `${name} + 1`
}

/** Changes a column of one row of its table, as a person or a broken disk may. */
export async function corrupt(
  clickhouse: ClickHouse,
  column: Column,
  columns: readonly Column[],
): Promise<void> {
  const { table, name } = column
  const keys = columns.filter((one) => one.table === table && one.is_in_sorting_key).map((one) => one.name)
  const hash = `cityHash64(${keys.join()})`
  const pick = `SELECT toString(${hash}) AS row FROM ${table} FINAL ORDER BY row LIMIT 1`
  const [{ row } = { row: '' }] = await selectRows<{ row: string }>(clickhouse, pick)
  const where = `${hash} = ${row}`
  const isVersion = name === 'revision' // a column that cannot be updated, such as a key: a newer row replaces the row
  if (!column.is_in_sorting_key && !isVersion)
    return execute(clickhouse, `ALTER TABLE ${table} UPDATE ${name} = ${otherValue(column)} WHERE ${where}`)
  const moved = `SELECT * REPLACE (${otherValue(column)} AS ${name}) FROM (SELECT * FROM ${table} FINAL WHERE ${where})`
  await execute(clickhouse, `INSERT INTO ${table} ${moved}`)
  if (!isVersion) await execute(clickhouse, `DELETE FROM ${table} WHERE ${where}`)
}

/** Runs the command that a problem names. */
export async function fix(databases: TestDatabases, command: string): Promise<void> {
  const [, from, to] = /^rackrate rollup --rebuild --from (\d+) --to (\d+)$/.exec(command) ?? []
  if (from && to) await rebuildSeries(databases, { from: Number(from), to: Number(to) })
  else {
    expect(command).toBe('rackrate reconcile')
    expect(await reconcile(databases, {})).toMatchObject({ done: true })
    // A reconciled past whose sizes of memory are unknown is computed again, by the workers, and not checked before.
    await fillPast(databases)
  }
}

/** Three days of a market in which machines are rented and come back. Each day has two slots of a pair. */
export function threeDays(): MachineAtSlot[] {
  const start = 1_699_920_000
  const slots = [0, 1, 2].flatMap((n) => [start + n * day + 3600, start + n * day + 3900])
  return slots.flatMap((slot, index) =>
    Array.from({ length: 24 }, (_, machine) => ({
      slot,
      machine: machine + 1,
      gpu: 'RTX 4090',
      rig: 4,
      price: 0.3 + machine / 100 + index / 1000,
      free: 2 + ((machine + index) % 2),
      rented: [{ gpus: 1, price: 0.4 }],
      verified: machine % 2 === 0,
      hosting: 'community' as const,
      tflops: 80,
      dlperf: 90,
      terms: `[${(machine + (index > 2 ? 1 : 0)) / 100},1790793441,0.1,0.99,0.2,0.01,0]`,
      specs: `[900,800,3500,1000,"EPYC",64,256000,24,900,"550.1",12.4,100,${machine % 2 === 0},${100 + machine + (index > 2 ? 1 : 0)}]`,
    })),
  )
}

/** Databases with the three days, loaded and published. */
export async function threePublishedDays(): Promise<TestDatabases> {
  const databases = await freshDatabases()
  await addSeen(databases, threeDays())
  await loadAll(databases)
  await publishDays(databases)
  return databases
}

export const derivedTables = [
  'cube',
  'flows',
  'machine_days',
  'price_histogram',
  'price_index',
  'price_steps',
  'published_days',
  'slots',
  'specs',
  'terms',
]

/**
 * Tests that the check finds changed values in the chosen columns, and that the commands it names fix them: one by one, or all of a part together.
 */
export function corruption(
  parts: Record<string, (column: Column) => boolean>,
  { oneByOne }: { oneByOne: boolean },
): void {
  let databases: TestDatabases
  beforeAll(async () => {
    databases = await threePublishedDays()
  })
  afterAll(() => databases?.close())
  const find = async () => check(databases, await rangeToCheck(databases, {}))

  it('finds nothing wrong with tables that are as they were computed', async () => {
    const columns = await derivedColumns(databases.clickhouse)
    expect([...new Set(columns.map(({ table }) => table))]).toEqual(derivedTables)
    expect(await find()).toEqual({ problems: [], not_checked: [] })
  })

  it.each(Object.entries(parts))('finds each changed column of %s and names what fixes it', async (_, is) => {
    const columns = await derivedColumns(databases.clickhouse)
    const chosen = columns.filter(is)
    expect(chosen.length).toBeGreaterThan(0)
    for (const group of oneByOne ? chosen.map((column) => [column]) : [chosen]) {
      const names = group.map(({ table, name }) => `${table}.${name}`).join()
      for (const column of group) await corrupt(databases.clickhouse, column, columns)
      const { problems } = await find()
      const found = problems.map(({ table }) => table)
      expect(found, names).toEqual(expect.arrayContaining(group.map(({ table }) => table)))
      for (const command of new Set(problems.map((problem) => problem.fix))) await fix(databases, command)
      expect((await find()).problems, names).toEqual([])
    }
  })
}
