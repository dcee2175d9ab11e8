import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../../contract/failure.ts'
import { guardSessions, holdingSession } from './held-sessions.ts'
import { statementText } from './sql-files.ts'
import { inSpan } from './trace-spans.ts'

export type Postgres = pg.Pool & {
  /** A session outside the pool. The caller ends it. */
  openSession(): Promise<pg.Client>
}

/** The pool, or one session. It accepts a text, or the name of a statement in sql/postgres/queries/, such as `alerts/list`. */
export type Session = Pick<Postgres, 'query'>

// int8 and numeric values fit a JS number everywhere (ids, unix seconds, prices below 10^9), so they are read as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** A new session takes 20 ms of CPU. With the default of 10 s, sessions end that the next poll of the queues needs again. */
export const idleTimeoutMillis = 60_000

export interface PoolOptions {
  /** The most sessions. Default: 10. */
  max?: number
  /** Refuses a second session to work that holds one. For tests and development. */
  isGuarded?: boolean
}

/**
 * A pool on `url`. Every statement is a span, and a transaction is one span. `onError` is called when an idle connection is lost.
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  { max = 10, isGuarded = false }: PoolOptions = {},
): Postgres {
  const session = {
    connectionString: url,
    application_name: 'rackrate',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...session, max, idleTimeoutMillis })
  if (isGuarded) guardSessions(pool)
  pool.on('error', onError)
  pool.on('connect', survive)
  pool.on('connect', takeNames)
  const send = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
  const query = (statement: string, values?: unknown[]) => {
    const text = statementText('postgres', statement)
    return inSpan('postgresql', text, () => send(text, values))
  }
  const openSession = async () => {
    const client = new pg.Client(session)
    survive(client)
    takeNames(client)
    await client.connect()
    return client
  }
  return Object.assign(pool, { query: query as typeof pool.query, openSession })
}

/**
 * Handles errors of a connection for as long as it lives. The pool handles them only while a connection is idle. A connection in
 * use emits `error` when the server stops, which ends the process if no listener is attached. The caller sees its statements
 * fail.
 */
export const survive = (client: pg.ClientBase): void => {
  client.on('error', () => {})
}

/** Lets a session accept names of statements. */
function takeNames(client: pg.ClientBase): void {
  const send = client.query.bind(client) as (...given: unknown[]) => unknown
  const query = (statement: unknown, ...rest: unknown[]) =>
    send(typeof statement === 'string' ? statementText('postgres', statement) : statement, ...rest)
  client.query = query as typeof client.query
}

/** The person and the key that change something, for the audit of changes. Without one it is the service itself. */
export interface Actor {
  createdBy?: number
  keyId?: number
  /** Default: a request with the key. */
  origin?: 'mail' | 'command'
}

/** An operator at the command line. */
export const commandLine: Actor = { origin: 'command' }

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function transaction<T>(
  pool: Postgres,
  work: (client: pg.PoolClient) => Promise<T>,
  actor?: Actor,
): Promise<T> {
  return inSpan('postgresql', 'BEGIN … COMMIT', () => committed(pool, work, actor))
}

/** A session whose statements are transactions of an actor, each one of its own. */
export const acting = (pool: Postgres, actor: Actor): Session => {
  const query = (statement: string, values?: unknown[]) => {
    const send = () => committed(pool, (client) => client.query(statement, values), actor)
    return inSpan('postgresql', statementText('postgres', statement), send)
  }
  return { query: query as Session['query'] }
}

async function committed<T>(
  pool: Postgres,
  work: (client: pg.PoolClient) => Promise<T>,
  actor: Actor | undefined,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    if (actor) await client.query("SELECT set_config('rackrate.actor', $1, true)", [actorText(actor)])
    const result = await holdingSession(pool, () => work(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A connection that cannot roll back is not returned to the pool.
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** The setting that the trigger note_change() reads. */
const actorText = ({ createdBy: person, keyId: key, origin }: Actor): string =>
  JSON.stringify({ origin: origin ?? 'api', person, key })

/** A held advisory lock. */
export interface HeldLock {
  /**
   * Sends statements in the session that holds the lock. The lock ends exactly when this session ends, so its statements take
   * effect only while the lock is held.
   */
  session: Session
  /** Aborts when the session is lost, and the lock with it, or when the work is stopped. */
  signal: AbortSignal
}

/**
 * Runs `work` while holding the advisory lock `key`. Waits for the lock without a limit, or until `stop` aborts. The lock belongs
 * to a session and ends with it: when the process, the connection or the server ends. Then `signal` aborts, and `work` must stop.
 * The session is outside the pool, whose sessions `work` uses: otherwise waiting for locks could take all of them.
 */
export async function withAdvisoryLock<T>(
  pool: Postgres,
  key: number,
  work: (held: HeldLock) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const client = await pool.openSession()
  // A signal of AbortSignal.any would stay attached to `stop`, which lives as long as the process.
  const ending = new AbortController()
  const onError = (cause: Error) =>
    ending.abort(new Error('The lock was lost with its connection to PostgreSQL', { cause }))
  const onStop = () => ending.abort(stop?.reason)
  client.on('error', onError)
  stop?.addEventListener('abort', onStop)
  if (stop?.aborted) onStop()
  const send = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
  const query = (statement: string, values?: unknown[]) => {
    const text = statementText('postgres', statement)
    return inSpan('postgresql', text, () => send(text, values))
  }
  const { signal } = ending
  let isHeld = false
  try {
    await Promise.race([client.query('SELECT pg_advisory_lock($1)', [key]), rejection(signal)])
    isHeld = true
    return await work({ session: { query: query as Session['query'] }, signal })
  } finally {
    // The next holder then need not wait until the server notices the end of the session.
    if (isHeld) await client.query('SELECT pg_advisory_unlock($1)', [key]).catch(() => {})
    client.off('error', onError)
    stop?.removeEventListener('abort', onStop)
    client.end().catch(() => {})
  }
}

/** Rejects when the signal aborts. */
const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })

const longestStartMs = 60_000

/**
 * Waits while the server recovers from a crash, or with `orAway` while it restarts. Throws after a minute, and immediately when
 * the server refuses a connection for another reason.
 */
export async function untilStarted(pool: Postgres, { orAway }: { orAway: boolean }): Promise<void> {
  const codes = ['57P03', ...(orAway ? ['ECONNREFUSED', 'ECONNRESET'] : [])]
  for (const deadline = performance.now() + longestStartMs; ; await pause(200)) {
    try {
      await pool.query('SELECT 1')
      return
    } catch (error) {
      if (!codes.includes(codeOf(error) ?? '') || performance.now() > deadline) throw error
    }
  }
}

/** All advisory locks, in one place so that no two have the same number. */
export const locks = {
  migrate: 7_225_001,
  series: 7_225_002,
  import: 7_225_003,
  prices: 7_225_004,
  official: 7_225_005,
} as const
