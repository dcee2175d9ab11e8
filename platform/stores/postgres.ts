import pg from 'pg'
import { inSpan } from './spans.ts'

export type Postgres = pg.Pool

// int8 and numeric fit a JS number everywhere we use them (ids, unix seconds, prices below 10^9 with 9 decimals shown as text
// elsewhere): 64-bit counts as strings would only invite concatenation.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** A pool on `url`, whose statements are spans (a transaction is one). Errors of idle connections are reported to `onError` instead of ending the process. */
export function openPostgres(url: string, onError: (error: Error) => void, max = 10): Postgres {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'rackrate',
    connectionTimeoutMillis: 10_000,
  })
  pool.on('error', onError)
  const send = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
  const query = (text: string, values?: unknown[]) => inSpan('postgresql', text, () => send(text, values))
  return Object.assign(pool, { query: query as typeof pool.query })
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function transaction<T>(
  pool: Postgres,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inSpan('postgresql', 'BEGIN … COMMIT', () => committed(pool, work))
}

async function committed<T>(pool: Postgres, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool.
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Runs `work` in one transaction that has the account's row locked: what bounds or numbers an account's things is decided one after the other. */
export const accountTransaction = <T>(
  pool: Postgres,
  accountId: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  transaction(pool, async (client) => {
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId])
    return work(client)
  })

/**
 * Runs `work` while holding the advisory lock `key`, waiting for it as long as it takes. The lock is the session's:
 * it goes when the process dies.
 */
export async function withAdvisoryLock<T>(pool: Postgres, key: number, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('SELECT pg_advisory_lock($1)', [key])
    return await work()
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [key]).catch((error: Error) => {
      broken = error
    })
    client.release(broken)
  }
}

/** Every advisory lock of ours, so that no two mean the same number. */
export const locks = { migrate: 7_225_001, series: 7_225_002, import: 7_225_003 } as const
