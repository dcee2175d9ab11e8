import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { type Holding, holdings, reasons } from './holdings.ts'

/** Rows that are in memory at a time. */
const batch = 500

/**
 * Writes everything that an account holds as one JSON document, from one moment of the database. Memory is bounded by a batch of rows
 * and the buffer of `out`. `signal` ends it, so that a slow reader does not keep the session.
 */
export async function exportAccount(
  postgres: Postgres,
  { account, madeAt }: { account: number; madeAt: string },
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const write = async (text: string) => {
    signal.throwIfAborted()
    if (!out.write(text)) await once(out, 'drain', { signal })
  }
  await transaction(postgres, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const { rows } = await client.query<{ name: string }>('account/secret_columns')
    const secrets = rows.map(({ name }) => name)
    const head = { account_id: account, made_at: madeAt, not_exported: reasons('notExported') }
    await write(`${JSON.stringify(head).slice(0, -1)},\n"tables": {`)
    const exported = holdings.filter(({ notExported }) => !notExported)
    for (const [index, holding] of exported.entries()) {
      await write(`${index > 0 ? ',' : ''}\n"${holding.name ?? holding.table}": [`)
      await writeRows(client, { holding, account, secrets }, write)
      await write(']')
    }
    await write('\n}}\n')
  })
}

interface Part {
  holding: Holding
  account: number
  /** Columns of all tables that have secrets, as `table.column`. */
  secrets: readonly string[]
}

async function writeRows(
  client: pg.PoolClient,
  { holding: { table, rows, without = [] }, account, secrets }: Part,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const hidden = secrets.filter((name) => name.startsWith(`${table}.`)).map((name) => name.split('.')[1])
  const columns = `(to_jsonb(${table}) - $2::text[])::text AS row`
  await client.query(`DECLARE held CURSOR FOR SELECT ${columns} FROM ${table} WHERE ${rows}`, [
    account,
    [...hidden, ...without],
  ])
  for (let isFirst = true; ; isFirst = false) {
    const { rows: found } = await client.query<{ row: string }>(`FETCH ${batch} FROM held`)
    if (found.length === 0) break
    await write(`${isFirst ? '\n' : ',\n'}${found.map(({ row }) => row).join(',\n')}`)
  }
  await client.query('CLOSE held')
}
