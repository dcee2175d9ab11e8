import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClickHouse } from '../../../../platform/stores/clickhouse.ts'
import { emptySeries, type SeriesState } from './series-model.ts'
import { type Parameters, type Plan, statements } from './series-statements.ts'
import { answerTo, InjectedError, type Process, type World } from './world.ts'

interface Request {
  query?: string
  query_params?: Parameters
  query_id?: string
  abort_signal?: AbortSignal
  values?: unknown
  table?: string
  clickhouse_settings?: Record<string, unknown>
}

interface Statement {
  id: string
  text: string
  /** Blocks that are still to be written, one after another. */
  blocks: (() => void)[]
  fail: (error: Error) => void
}

/**
 * A model of ClickHouse as far as the series uses it. A statement arrives, reads, writes one block after another, and answers. At each point other
 * statements can overtake it, it can be killed, or it can lose its client; without its client it continues.
 */
export function openClickHouseModel(world: World) {
  let state = emptySeries()
  const running = new Map<string, Statement>()
  let deletes: { apply: () => void }[] = []
  const handlers = statements({
    state: () => state,
    split: (rows) =>
      rows.length > 1 && world.chance(0.2) ? halves(rows, 1 + world.below(rows.length - 1)) : [rows],
    running: () => [...running.keys()],
    end: (ids) => {
      for (const id of ids) kill(id)
    },
    unfinishedDeletes: () => deletes.length,
  })

  function kill(id: string): void {
    const statement = running.get(id)
    if (!statement) return
    running.delete(id)
    // The statement may just have ended.
    if (world.chance(0.3)) for (const write of statement.blocks) write()
    world.note(() => `killed ${id} with ${statement.blocks.length} blocks`)
    statement.fail(new InjectedError('the statement was killed'))
  }

  function begin(id: string, text: string, plan: Plan, reply: Reply): void {
    const statement: Statement = { id, text, blocks: plan.blocks ?? [], fail: reply.fail }
    running.set(id, statement)
    const proceed = () => {
      if (!running.has(id)) return
      const write = statement.blocks.shift()
      if (write) {
        write()
        return world.later(proceed)
      }
      running.delete(id)
      reply.done(plan.rows ?? [], plan.written ?? 0)
    }
    if (plan.remove) {
      // A DELETE continues when its statement is killed.
      const removal = { apply: plan.remove }
      deletes.push(removal)
      world.later(() => {
        if (!deletes.includes(removal)) return
        deletes = deletes.filter((other) => other !== removal)
        removal.apply()
        proceed()
      })
    } else if (statement.blocks.length > 0) world.later(proceed)
    else proceed()
  }

  async function send(process: Process, request: Request): Promise<{ rows: unknown[]; written: number }> {
    const { query_id: id = randomUUID(), abort_signal: signal } = request
    const text = request.query ?? `INSERT INTO ${request.table}`
    const body = await bodyOf(request.values)
    return new Promise((resolve, reject) => {
      if (!process.isAlive) return
      const abort = () => answer.reject(signal?.reason as Error)
      const heard =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', abort)
          settle(value)
        }
      const answer = answerTo(process, { resolve: heard(resolve), reject: heard(reject) })
      signal?.addEventListener('abort', abort)
      const fail = (error: Error) => world.later(() => answer.reject(error))
      const done = (rows: unknown[], written: number) =>
        world.chance(world.weather.lostAfter)
          ? fail(new InjectedError('the answer of ClickHouse is lost'))
          : world.later(() => answer.resolve({ rows, written }))
      world.later(() => {
        if (world.chance(world.weather.lostBefore)) return fail(new InjectedError('ClickHouse is away'))
        // A statement sent by a killed process arrives or not.
        if (!process.isAlive && world.chance(0.5)) return
        const handler = handlers.get(text)
        if (!handler) throw new Error(`The model of ClickHouse does not know: ${text}`)
        const plan = handler({
          ...request.query_params,
          body,
          id,
          token: request.clickhouse_settings?.insert_deduplication_token,
        })
        world.note(
          () => `clickhouse ${labelOf(text)} ${JSON.stringify(request.query_params ?? body).slice(0, 90)}`,
        )
        if (plan instanceof Error) return fail(plan)
        begin(id, text, plan, { done, fail })
      })
    })
  }

  return {
    get state() {
      return state
    },
    copy: (): SeriesState => structuredClone(state),
    /** A backup may come without the deduplication tokens of its rows, or with tokens of others. */
    restore(copy: SeriesState, tokens: 'of the backup' | 'none' | 'of the present'): void {
      const present = state.tokens
      restart()
      deletes = []
      state = structuredClone(copy)
      if (tokens !== 'of the backup') state.tokens = tokens === 'none' ? [] : present
    },
    restart,
    /** Forgets rows that have a newer revision, as merges do. */
    merge(): void {
      for (const [key, versions] of state.slots)
        state.slots.set(key, [versions.reduce((a, b) => (b.revision >= a.revision ? b : a))])
    },
    /** Removes the months of observations that are old enough. */
    expire(): void {
      const month = 30 * 86_400
      const end = (slot: number) => (Math.floor(slot / month) + 1) * month
      const limit = world.now + world.skew.clickhouse - state.days * 86_400
      if (state.days === 0) return
      state.expired.push(...state.observations.filter(({ slot }) => end(slot) <= limit))
      state.observations = state.observations.filter(({ slot }) => end(slot) > limit)
    },
    clientFor(process: Process): ClickHouse {
      const client = {
        query: async (request: Request) => {
          const { rows } = await send(process, request)
          return { json: async () => rows }
        },
        command: async (request: Request) => {
          const { written } = await send(process, request)
          return { summary: { written_rows: String(written) } }
        },
        exec: async (request: Request) => {
          await send(process, request)
          return { stream: Readable.from([]) }
        },
        insert: (request: Request) => send(process, request),
      }
      return client as unknown as ClickHouse
    },
  }

  function restart(): void {
    for (const statement of [...running.values()]) {
      running.delete(statement.id)
      statement.fail(new InjectedError('ClickHouse restarts'))
    }
  }
}

interface Reply {
  done: (rows: unknown[], written: number) => void
  fail: (error: Error) => void
}

const halves = <T>(rows: T[], at: number): T[][] => [rows.slice(0, at), rows.slice(at)]

const labelOf = (text: string) =>
  text
    .replace(/--.*\n/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, 50)

async function bodyOf(values: unknown): Promise<string> {
  if (!(values instanceof Readable)) return JSON.stringify(values ?? null)
  let text = ''
  for await (const chunk of values) text += String(chunk)
  return text
}
