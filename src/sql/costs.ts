import PQueue from 'p-queue'
import { type ClickHouse, execute, selectRows } from '../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

/** Records the cost of statements soon after they have ended. */
export interface StatementCosts {
  /** Call it with the id of an ended statement. */
  note(id: string): void
  /** Records the remaining costs. */
  close(): Promise<void>
}

const delayMs = 2000

/** ClickHouse reports the cost in its query log, which it must write first. So costs are recorded together, every few seconds. */
export function openCosts(postgres: Postgres, operator: ClickHouse): StatementCosts {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const queue = new PQueue({ concurrency: 1 })

  const noteAll = async () => {
    const ids = [...waiting]
    waiting.clear()
    if (ids.length === 0) return
    await execute(operator, 'SYSTEM FLUSH LOGS query_log')
    const costs = await selectRows(operator, 'sql/costs', { ids })
    await postgres.query('sql/note_costs', [JSON.stringify(costs)])
  }
  const noteNow = () => {
    clearTimeout(timer)
    timer = undefined
    // A cost that cannot be recorded stays unknown.
    return queue.add(noteAll).catch(() => {})
  }
  return {
    note(id) {
      waiting.add(id)
      timer ??= setTimeout(noteNow, delayMs).unref()
    },
    close: noteNow,
  }
}
