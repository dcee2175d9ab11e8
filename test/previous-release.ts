import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClickHouse, execute, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import { throughDefault } from '../platform/stores/migrate.ts'
import { isEmpty, textFor } from '../platform/stores/sql-files.ts'
import type { TestDatabases } from './database.ts'
import { smallMarket } from './market.ts'

// The schema and the statements of commit d58e50a, the last release whose ClickHouse did not list its migrations.
const root = join(import.meta.dirname, 'fixtures/d58e50a')
const read = (name: string) => readFileSync(join(root, `${name}.sql`), 'utf8')
const migrations = (store: 'clickhouse' | 'postgres') =>
  readdirSync(join(root, store, 'migrations'))
    .map((file) => `${store}/migrations/${file.replace('.sql', '')}`)
    .sort()

export const previousQuery = (name: string): string => read(`clickhouse/queries/${name}`)

/** Takes both databases back to before their first migration. */
export async function emptied({ postgres, clickhouseAddress }: TestDatabases): Promise<void> {
  const { database: name } = clickhouseAddress
  await postgres.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await throughDefault(clickhouseAddress, (client) =>
    execute(client, 'DROP DATABASE IF EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/ SYNC', { name }),
  )
}

/** Makes both databases anew as the previous release did. */
export async function previousSchema(databases: TestDatabases): Promise<void> {
  const { postgres, clickhouse, clickhouseAddress } = databases
  await emptied(databases)
  await postgres.query(
    'CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  for (const name of migrations('postgres')) {
    await postgres.query(read(name))
    await postgres.query('INSERT INTO migrations (name) VALUES ($1)', [name])
  }
  const { database: name } = clickhouseAddress
  await throughDefault(clickhouseAddress, (client) =>
    execute(client, 'CREATE DATABASE {name:Identifier}/*! ON CLUSTER $cluster*/', { name }),
  )
  for (const name of migrations('clickhouse')) {
    const statement = textFor(read(name), clickhouse.place)
    if (!isEmpty(statement)) await execute(clickhouse, statement, { shards: 2 })
  }
  const version = 'ALTER TABLE /*!$database.*/bucket_rows/*! ON CLUSTER $cluster*/ MODIFY COMMENT'
  await execute(clickhouse, `${version} 'schema 0123456789abcdef'`)
}

const names = ['RTX 4090', 'H100 SXM', 'L4', 'A100', 'T4']
export const firstSlot = 1_750_000_200
const steps = [900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800]

/** Ten days of a small market in slots of five minutes, most of them missing, rolled up as the previous release did. */
export async function previousSeries(clickhouse: ClickHouse): Promise<void> {
  const slots = Array.from({ length: 120 }, (_, n) => firstSlot + 300 * ((n % 4) + 24 * n))
  const seen = slots.flatMap((slot, n) =>
    Array.from({ length: 40 }, (_, machine) => ({ slot, n, machine })).filter(
      (one) => (one.n + one.machine) % 11 !== 0,
    ),
  )
  const lines = seen.flatMap(({ slot, n, machine }) => {
    const rig = 2 ** (machine % 4)
    const rented = (n * 7 + machine * 3) % (rig + 1)
    const row = (gpus: number, machines: number, isRented: boolean) => {
      const hosting = ['unknown', 'community', 'secure_cloud'][machine % 3]
      const price = 0.1 + ((n * 13 + machine * 29 + (isRented ? 5 : 0)) % 97) / 100
      const tflops = machine % 7 === 0 ? null : 40 + machine
      const what = [slot, machine, names[machine % names.length], rig, gpus, machines, isRented]
      return [...what, machine % 5 < 3, hosting, price, tflops, 10.5 + machine, 'market']
    }
    return [
      ...(rented > 0 ? [row(rented, 1, true)] : []),
      ...(rented < rig ? [row(rig - rented, rented > 0 ? 0 : 1, false)] : []),
    ]
  })
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  await insertLines(clickhouse, 'INSERT INTO observations FORMAT JSONCompactEachRow', { lines: text })
  const run = (name: string, step = 0) => {
    const unit = Math.max(step, 3600)
    const from = Math.floor(firstSlot / unit) * unit
    const to = Math.ceil(((slots.at(-1) ?? 0) + 1) / unit) * unit
    const parameters = { from, to, step, hourly: step % 3600 === 0, revision: 1 }
    return execute(clickhouse, previousQuery(name), parameters)
  }
  await run('announce_slots')
  await run('rollup_histogram')
  await run('rollup_slots')
  for (const step of steps) await run('rollup_buckets', step)
  await run('ready_slots')
}

/** A market in PostgreSQL, and a snapshot that waits in the spool, as the previous release wrote it. */
export async function previousSnapshot({ postgres }: TestDatabases) {
  await smallMarket(postgres, 10)
  const slot = firstSlot + 86_400 * 20
  const line = (machine: number, rented: boolean) =>
    JSON.stringify([slot, machine, 'L4', 1, 1, 1, rented, true, 'community', 0.5, null, 10.5, 'market'])
  await postgres.query('INSERT INTO snapshots (slot, source, observations) VALUES ($1, $2, 2)', [
    slot,
    'market',
  ])
  await postgres.query('INSERT INTO spool (slot, part, rows) VALUES ($1, 0, $2)', [
    slot,
    `${line(1, true)}\n${line(2, false)}`,
  ])
  return {
    slot,
    observed: [
      { host_id: null, country: '', gpu_ram: null, rental_type: 'unknown', min_gpus: null, terms: '' },
    ],
  }
}

/** Statements that make the tables and views of a database. Distributed tables of the previous release have no comments. */
export const schemaOf = (clickhouse: ClickHouse) =>
  selectRows<{ name: string; ddl: string }>(
    clickhouse,
    `SELECT name, if(engine = 'Distributed', replaceRegexpAll(create_table_query, ' COMMENT \\'[^\\']*\\'', ''), create_table_query) AS ddl
     FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  )
