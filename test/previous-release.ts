import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ClickHouse, execute, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import { throughDefault } from '../platform/stores/migrate.ts'
import { one } from '../platform/stores/rows.ts'
import type { SchemaFile } from '../platform/stores/schema-files.ts'
import { isEmpty, loadSql, textFor } from '../platform/stores/sql-files.ts'
import type { TestDatabases } from './database.ts'
import { smallMarket } from './market.ts'

interface Recorded {
  files: { postgres: SchemaFile[]; clickhouse: SchemaFile[] }
  /** Lines of JSONEachRow by table. */
  lines: Record<string, string[]>
  answers: { path: string; body: unknown }[]
}

/** A database of commit f3fc77a8, the release before this one. tools/record-release/ makes the file. */
const recorded: Recorded = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'fixtures/f3fc77a8.json.gz'))).toString(),
)

/** Requests to the previous release on its database, and its answers. */
export const previousAnswers = recorded.answers

/** Removes everything from both databases, as before their first migration. */
export async function emptied({ postgres, clickhouseAddress }: TestDatabases): Promise<void> {
  const { database: name } = clickhouseAddress
  await postgres.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await throughDefault(clickhouseAddress, (client) =>
    execute(client, 'DROP DATABASE IF EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/ SYNC', { name }),
  )
}

/** Creates both databases again as the previous release did. `until`: only with the migrations of PostgreSQL up to this number. */
export async function previousSchema(databases: TestDatabases, until = '999'): Promise<void> {
  const { postgres, clickhouse, clickhouseAddress } = databases
  await emptied(databases)
  await postgres.query('schema/create_ledger')
  for (const { name, text, hash } of recorded.files.postgres) {
    if (name > `postgres/migrations/${until}`) break
    await postgres.query(text)
    await postgres.query('INSERT INTO migrations (name, hash) VALUES ($1, $2)', [name, hash])
  }
  const { database: name } = clickhouseAddress
  await throughDefault(clickhouseAddress, (client) =>
    execute(client, 'CREATE DATABASE {name:Identifier}/*! ON CLUSTER $cluster*/', { name }),
  )
  const ledger = ['create_ledger', 'create_ledger_all'].map((part) =>
    loadSql(`clickhouse/queries/schema/${part}`),
  )
  for (const text of [...ledger, ...recorded.files.clickhouse.map((file) => file.text)]) {
    const statement = textFor(text, clickhouse.place).replaceAll('$database', name ?? '')
    if (!isEmpty(statement)) await execute(clickhouse, statement, { shards: 2 })
  }
  const values = recorded.files.clickhouse.map(({ name, hash }) => ({ name, hash }))
  await clickhouse.insert({ table: 'migrations', values, format: 'JSONEachRow' })
}

/** Five days of a small market in slots of five minutes, most of them missing, with all rows that the previous release derived. */
export async function previousSeries({ postgres, clickhouse }: TestDatabases): Promise<void> {
  for (const [table, lines] of Object.entries(recorded.lines))
    if (lines.length > 0)
      await insertLines(clickhouse, `INSERT INTO ${table} FORMAT JSONEachRow`, { lines: lines.join('\n') })
  const versioned = Object.keys(recorded.lines).filter(
    (table) => !['observations', 'list_prices'].includes(table),
  )
  const newest = versioned
    .map((table) => `SELECT max(t.revision) AS revision FROM ${table} AS t`)
    .join(' UNION ALL ')
  const { revision } = one(
    await selectRows<{ revision: number }>(clickhouse, `SELECT max(revision) AS revision FROM (${newest})`),
  )
  await postgres.query(`SELECT setval('revisions', $1)`, [revision])
  await postgres.query('UPDATE flow_progress SET interval = 3600')
  await postgres.query('UPDATE backfills SET todo_before = 0')
  const slots = await selectRows<{ slot: number; observations: number }>(
    clickhouse,
    'SELECT toUnixTimestamp(slot) AS slot, observations FROM slots FINAL',
  )
  await postgres.query(
    `INSERT INTO snapshots (slot, source, observations, loaded_at)
     SELECT slot, 'market', observations, now() FROM json_to_recordset($1) AS s (slot bigint, observations integer)`,
    [JSON.stringify(slots)],
  )
}

/** A market in PostgreSQL, with rules and decisions, and a snapshot that waits in the spool, as the previous release wrote it. */
export async function previousSnapshot({ postgres }: TestDatabases) {
  await smallMarket(postgres, 10)
  await postgres.query(`
    INSERT INTO sources (name, is_first) VALUES ('exporter', true), ('asia', false);
    INSERT INTO machine_costs (account_id, kwh_price) VALUES (1001, 0.3);
    INSERT INTO claims VALUES (1001, 'asia', '{50}', '{}');
    INSERT INTO alert_rules (account_id, created_by, name, condition, email, webhook_url, webhook_secret_sealed) VALUES
      (1001, 1001, 'price', '{"kind": "statistic", "gpu_name": "L4"}', true, NULL, NULL),
      (1001, 1001, 'age', '{"kind": "data_age"}', false, 'https://example.com/hook', '\\x01');
    INSERT INTO autopilot_rules (account_id, created_by, name, settings, email) VALUES (1001, 1001, 'rule', '{"target": {"kind": "median"}}', false);
    INSERT INTO autopilot_decisions (account_id, machine_id, gpu_name, num_gpus, slot, kind, stage, reason, figures, state, expires_at)
    VALUES (1001, 1, 'L4', 1, 300, 'refusal', 'suggest', 'reason', '{"others": {"hosts": 3, "machines": 7}}', 'noted', now())`)
  const slot = 1_750_000_200 + 86_400 * 20
  const end = ['US', 23_034, 'unknown', null, '']
  const line = (machine: number, isRented: boolean) =>
    JSON.stringify(
      [slot, machine, 'L4', 1, 1, 1, isRented, true, 'community', 0.5, null, 10.5, 'market', 7].concat(end),
    )
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
      { host_id: 7, country: 'US', gpu_ram: 23_034, gpu_memory: 24, rental_type: 'unknown', terms: '' },
    ],
  }
}

/** All rows of the tables of PostgreSQL that the service writes by itself or for its users, as text, by table. */
export async function postgresRows({
  postgres,
}: Pick<TestDatabases, 'postgres'>): Promise<Map<string, string[]>> {
  const { rows: tables } = await postgres.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
  )
  const found = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await postgres.query<{ text: string }>(
      `SELECT to_jsonb(t)::text AS text FROM ${name} AS t ORDER BY 1`,
    )
    found.set(
      name,
      rows.map(({ text }) => text),
    )
  }
  return found
}

/** Statements that make the tables and views of a database. Columns that were added to a distributed table have no comments and no codecs. */
export const schemaOf = (clickhouse: ClickHouse) =>
  selectRows<{ name: string; ddl: string }>(
    clickhouse,
    `SELECT name, if(engine = 'Distributed', replaceRegexpAll(create_table_query, ' COMMENT \\'[^\\']*\\'| CODEC\\((\\w+(\\(\\d+\\))?(, )?)+\\)', ''), create_table_query) AS ddl
     FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  )
