import { EventEmitter } from 'node:events'
import { floorTo } from '../../../../contract/ladder.ts'
import type { Postgres } from '../../../../platform/stores/postgres.ts'
import { loadSql, statementText } from '../../../../platform/stores/sql-files.ts'
import { answerTo, InjectedError, type Process, type World } from './world.ts'

export interface Snapshot {
  slot: number
  source: string
  observations: number
  loadedAt: number | undefined
}

interface Pending {
  id: number
  from: number
  to: number
  rebuild: boolean
}

/** A row of `import_work`. */
interface ImportWork {
  id: number
  source: string
  stage: string | null
  overlapping: boolean
  imports: number[]
  removed: number | null
  removed_source: string | null
}

const emptyState = () => ({
  revision: 1,
  snapshots: new Map<number, Snapshot>(),
  spool: new Map<number, string[]>(),
  pending: [] as Pending[],
  nextPending: 1,
  importWork: [] as ImportWork[],
  nextWork: 1,
  days: undefined as number | undefined,
  goneBefore: 0,
})

export type PostgresState = ReturnType<typeof emptyState>

/** The market at a slot, as parts of the spool and their number of observations. */
export type Market = (slot: number) => { parts: string[]; observations: number }

interface Session {
  process: Process
  client: EventEmitter
  isEnded: boolean
  isBroken: boolean
  /** Fails the running statement. */
  fail: ((error: Error) => void) | undefined
}

type Values = readonly unknown[]
type Handler = (values: Values) => Record<string, unknown>[]

/** A model of PostgreSQL as far as the path of a slot uses it: each statement by its text, sessions, and advisory locks. */
export function openPostgresModel(world: World, market: Market) {
  let state = emptyState()
  const sessions = new Set<Session>()
  const holders = new Map<unknown, Session>()
  const waiting: { key: unknown; session: Session; grant: () => void }[] = []
  const clock = () => world.now + world.skew.postgres
  const since = () => {
    const kept = state.days === undefined ? 0 : clock() - state.days * 86_400 + 3600
    return Math.max(state.goneBefore, kept)
  }
  const handlers = statements(() => state, { market, clock, since })

  function release(key: unknown): void {
    holders.delete(key)
    const next = waiting.findIndex((other) => other.key === key && !other.session.isEnded)
    if (next < 0) return
    const [first] = waiting.splice(next, 1)
    if (!first) return
    holders.set(key, first.session)
    first.grant()
  }

  /** The server ends a session; the client learns it later. */
  function end(session: Session): void {
    if (session.isEnded) return
    session.isEnded = true
    sessions.delete(session)
    for (const [key, holder] of [...holders]) if (holder === session) release(key)
    world.later(() => breakOff(session))
  }

  /** The client loses its connection; the server learns it later. */
  function breakOff(session: Session): void {
    if (session.isBroken) return
    session.isBroken = true
    const error = new InjectedError('the connection to PostgreSQL is lost')
    session.fail?.(error)
    if (session.process.isAlive) session.client.emit('error', error)
    world.later(() => end(session))
  }

  function openSession(process: Process): Session {
    const client = new EventEmitter()
    client.on('error', () => {})
    const session = { process, client, isEnded: false, isBroken: false, fail: undefined }
    sessions.add(session)
    process.onKill.push(() => world.later(() => end(session)))
    return session
  }

  function send(
    session: Session,
    text: string,
    values: Values,
  ): Promise<{ rows: unknown[]; rowCount: number }> {
    return new Promise((resolve, reject) => {
      const answer = answerTo(session.process, { resolve, reject })
      if (session.isBroken) return answer.reject(new InjectedError('no connection to PostgreSQL'))
      session.fail = answer.reject
      const reply = (rows: unknown[]) => {
        if (world.chance(world.weather.lostAfter)) return breakOff(session)
        world.later(() => {
          session.fail = undefined
          answer.resolve({ rows, rowCount: rows.length })
        })
      }
      world.later(() => {
        if (world.chance(world.weather.lostBefore)) return breakOff(session)
        if (session.isEnded) return
        if (text.includes('pg_advisory_lock(')) return takeLock(session, values[0], () => reply([{}]))
        if (text.includes('pg_advisory_unlock(')) {
          if (holders.get(values[0]) === session) release(values[0])
          return reply([{}])
        }
        const handler = handlers.get(statementText('postgres', text))
        if (!handler) throw new Error(`The model of PostgreSQL does not know: ${text}`)
        world.note(
          () => `postgres ${text.slice(0, 60).replaceAll('\n', ' ')} ${JSON.stringify(values).slice(0, 60)}`,
        )
        reply(handler(values))
      })
    })
  }

  function takeLock(session: Session, key: unknown, grant: () => void): void {
    if (holders.has(key)) waiting.push({ key, session, grant })
    else {
      holders.set(key, session)
      grant()
    }
  }

  return {
    get state() {
      return state
    },
    since,
    copy: (): PostgresState => structuredClone(state),
    restore(copy: PostgresState): void {
      state = structuredClone(copy)
    },
    /** Ends all sessions, as a restart of the server does. */
    restart(): void {
      for (const session of [...sessions]) end(session)
    },
    /** Ends the session that holds a lock: on the server, or only the client's end of the connection. */
    cut(): void {
      const holder = [...holders.values()][0]
      if (holder) world.chance(0.5) ? end(holder) : breakOff(holder)
    },
    clientFor(process: Process): Postgres {
      const client = {
        async query(text: string, values: Values = []) {
          await world.pause(process)
          const session = openSession(process)
          try {
            return await send(session, text, values)
          } finally {
            session.isBroken = true
            end(session)
          }
        },
        async openSession() {
          await world.pause(process)
          const session = openSession(process)
          return Object.assign(session.client, {
            query: (text: string, values: Values = []) => send(session, text, values),
            async end() {
              session.isBroken = true
              world.later(() => end(session))
            },
          })
        },
      }
      return client as unknown as Postgres
    },
  }
}

interface Adopted {
  slot: number
  source: string
  found: number
  is_ready: boolean
}

interface Surroundings {
  market: Market
  clock: () => number
  since: () => number
}

/** The effect and the answer of each statement. */
function statements(
  current: () => PostgresState,
  { market, clock, since }: Surroundings,
): Map<string, Handler> {
  const sql = (name: string) => loadSql(`postgres/queries/${name}`)
  const taken = () => [...current().snapshots.values()].sort((a, b) => a.slot - b.slot)
  const newest = (snapshots: Snapshot[]) => snapshots.at(-1)?.slot ?? 0
  const nextRevision = () => {
    current().revision += 1
    return current().revision
  }
  const retain = (goneBefore: number) => {
    current().goneBefore = Math.max(current().goneBefore, goneBefore)
  }
  const setLoaded = (
    slots: readonly number[],
    loadedAt: number | undefined,
    only = (_: Snapshot) => true,
  ) => {
    for (const slot of slots) {
      const snapshot = current().snapshots.get(slot)
      if (snapshot && only(snapshot)) snapshot.loadedAt = loadedAt
    }
  }
  return new Map<string, Handler>([
    [
      sql('market/current_slot'),
      ([interval]) => [{ slot: Math.floor(clock() / Number(interval)) * Number(interval) }],
    ],
    [
      'SELECT FROM snapshots WHERE slot = $1',
      ([slot]) => (current().snapshots.has(Number(slot)) ? [{}] : []),
    ],
    ['SELECT 1', () => [{}]],
    ['UPDATE slot_interval SET seconds = $1 WHERE seconds <> $1', () => []],
    ['SELECT seconds FROM slot_interval', () => [{ seconds: 300 }]],
    ['SELECT coalesce(max(todo_before), 0) AS since FROM backfills', () => [{ since: 0 }]],
    ['UPDATE backfills SET todo_before = greatest(todo_before, $1)', () => []],
    ['SELECT FROM simulation', () => []],
    ['SELECT anchor_slot AS anchor FROM simulation', () => []],
    [
      sql('market/capture'),
      ([value]) => {
        const slot = Number(value)
        if (current().snapshots.has(slot)) return []
        const { parts, observations } = market(slot)
        current().snapshots.set(slot, { slot, source: 'market', observations, loadedAt: undefined })
        if (parts.length > 0) current().spool.set(slot, parts)
        return [{ slot, observations }]
      },
    ],
    [
      sql('series/next_spooled'),
      () =>
        taken()
          .filter(({ loadedAt }) => loadedAt === undefined)
          .filter(({ slot }, _, [oldest]) => oldest && slot < floorTo(3600, oldest.slot) + 3600)
          .map(({ slot, source, observations }) => ({
            slot,
            source,
            observations,
            parts: current().spool.get(slot)?.length ?? 0,
          })),
    ],
    [
      'SELECT rows FROM spool WHERE slot = $1 AND part = $2',
      ([slot, part]) => [{ rows: current().spool.get(Number(slot))?.[Number(part)] }],
    ],
    [
      'SELECT slot FROM snapshots WHERE loaded_at IS NOT NULL AND slot >= $1 AND slot < $2',
      ([from, to]) =>
        taken()
          .filter((s) => s.loadedAt !== undefined && s.slot >= Number(from) && s.slot < Number(to))
          .map(({ slot }) => ({ slot })),
    ],
    [
      'UPDATE snapshots SET loaded_at = rackrate_now() WHERE slot = ANY ($1)',
      ([slots]) => {
        setLoaded(slots as number[], clock())
        return []
      },
    ],
    [`SELECT nextval('revisions') AS revision`, () => [{ revision: nextRevision() }]],
    [
      sql('series/newest'),
      () => [
        {
          revision: current().revision,
          slot: newest(taken()),
          loaded: newest(taken().filter(({ loadedAt }) => loadedAt !== undefined)),
        },
      ],
    ],
    [
      sql('series/snapshots_taken'),
      () =>
        taken().map(({ slot, source, observations, loadedAt }) => ({
          slot,
          source,
          observations,
          is_loaded: loadedAt !== undefined,
          is_spooled: observations === 0 || current().spool.has(slot),
        })),
    ],
    [
      sql('series/reconcile'),
      ([adopted, loaded, reopened, lost, revision]) => {
        for (const { slot, source, found, is_ready } of JSON.parse(String(adopted)) as Adopted[]) {
          const loadedAt = is_ready ? clock() : undefined
          const known = current().snapshots.get(slot)
          if (known?.loadedAt !== undefined) known.observations = found
          if (!known) current().snapshots.set(slot, { slot, source, observations: found, loadedAt })
        }
        setLoaded(loaded as number[], clock(), ({ loadedAt }) => loadedAt === undefined)
        setLoaded(reopened as number[], undefined)
        for (const slot of lost as number[]) {
          current().snapshots.delete(slot)
          current().spool.delete(slot)
        }
        current().revision = Math.max(nextRevision(), Number(revision), clock())
        return [{}]
      },
    ],
    [
      'INSERT INTO pending_rollups (from_slot, to_slot, rebuild) VALUES ($1, $2, $3) RETURNING id',
      ([from, to, rebuild]) => {
        const id = current().nextPending
        current().nextPending += 1
        current().pending.push({ id, from: Number(from), to: Number(to), rebuild: rebuild === true })
        return [{ id }]
      },
    ],
    [
      'DELETE FROM pending_rollups WHERE id = $1',
      ([id]) => {
        current().pending = current().pending.filter((pending) => pending.id !== id)
        return []
      },
    ],
    [
      'SELECT id, from_slot AS "from", to_slot AS "to", rebuild FROM pending_rollups ORDER BY id',
      () => current().pending.map((pending) => ({ ...pending })),
    ],
    [
      sql('retention/change'),
      ([value]) => {
        const days = value === null ? undefined : Number(value)
        if (days === current().days) return []
        retain(since())
        current().days = days
        return []
      },
    ],
    [sql('retention/since'), () => [{ since: since() }]],
    [sql('series/note_rentals'), () => []],
    [
      sql('retention/gone'),
      ([goneBefore]) => {
        retain(Number(goneBefore))
        return []
      },
    ],
    [sql('purge/job_runs'), () => []],
    [sql('purge/host_tasks'), () => []],
    [sql('purge/autopilot'), () => []],
    [sql('purge/coverage'), () => []],
    ["DELETE FROM alert_messages WHERE created_at < rackrate_now() - interval '90 days'", () => []],
    ["DELETE FROM idempotent_answers WHERE created_at < rackrate_now() - interval '24 hours'", () => []],
    ["DELETE FROM changes WHERE made_at < rackrate_now() - interval '2 years'", () => []],
    ["DELETE FROM forecasts WHERE known_until < rackrate_now() - interval '90 days'", () => []],
    ["DELETE FROM price_advice WHERE given_at < rackrate_now() - interval '1 year'", () => []],
    [
      sql('purge/spool'),
      ([days]) => {
        for (const { slot, loadedAt } of taken())
          if (loadedAt !== undefined && loadedAt < clock() - Number(days) * 86_400)
            current().spool.delete(slot)
        return []
      },
    ],
    [
      sql('check/snapshots'),
      ([from, to]) =>
        taken()
          .filter(({ slot }) => slot >= Number(from) && slot < Number(to))
          .map(({ slot, source, observations, loadedAt }) => ({
            slot,
            source,
            is_loaded: loadedAt !== undefined,
            is_spooled: observations === 0 || current().spool.has(slot),
          })),
    ],
    [sql('imports/work'), () => structuredClone(current().importWork)],
    [
      sql('imports/begin'),
      ([source, stage, overlapping, imports, , removed, removedSource]) => {
        const id = current().nextWork
        current().nextWork += 1
        current().importWork.push({
          id,
          source: String(source),
          stage: stage as string | null,
          overlapping: overlapping === true,
          imports: imports as number[],
          removed: removed as number | null,
          removed_source: removedSource as string | null,
        })
        return []
      },
    ],
    [
      sql('imports/finish'),
      ([id]) => {
        current().importWork = current().importWork.filter((work) => work.id !== id)
        return []
      },
    ],
    [sql('series/complete_until'), () => [{ until: 0 }]],
    ['SELECT extract(epoch FROM rackrate_now())::bigint AS now', () => [{ now: clock() }]],
    [
      'SELECT coalesce(max(slot) + 1, 0) AS end FROM snapshots',
      () => [{ end: newest(taken()) + (taken().length > 0 ? 1 : 0) }],
    ],
  ])
}
