import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

interface Hold {
  pool: pg.Pool
  /** The hold around this one. */
  outer: Hold | undefined
  isOver: boolean
}

const holds = new AsyncLocalStorage<Hold>()
const guarded = new WeakSet<pg.Pool>()

/** The error when work that holds a session requests another one. */
class NestedSession extends Error {
  constructor(what: string) {
    super(
      `${what} while this work holds a session of a pool. If all sessions are held this way, all work waits forever. Read it before the transaction, or in its session.`,
    )
  }
}

/**
 * Makes a pool refuse a second session to work that holds one, even if one is free. For tests and development: tracking the
 * holders slows every promise of the process.
 */
export function guardSessions(pool: pg.Pool): void {
  guarded.add(pool)
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  const guardedConnect = (callback?: (error: Error) => void) => {
    if (!isHeld((hold) => hold.pool === pool)) return callback ? connect(callback) : connect()
    const error = new NestedSession('A session was requested')
    return callback ? callback(error) : Promise.reject(error)
  }
  Object.assign(pool, { connect: guardedConnect })
}

/** Runs `work`, which holds a session of the pool. */
export async function holdingSession<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  if (!guarded.has(pool)) return work()
  const hold: Hold = { pool, outer: holds.getStore(), isOver: false }
  try {
    return await holds.run(hold, work)
  } finally {
    hold.isOver = true
  }
}

/** Throws when the caller holds a session of a guarded pool: `what` may request another one. */
export function refuseWhileHolding(what: string): void {
  if (isHeld(() => true)) throw new NestedSession(what)
}

function isHeld(matches: (hold: Hold) => boolean): boolean {
  for (let hold = holds.getStore(); hold; hold = hold.outer) if (!hold.isOver && matches(hold)) return true
  return false
}
