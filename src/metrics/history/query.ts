import { ClickHouseError } from '@clickhouse/client'
import type { GpuHistory } from '../../../contract/history.ts'
import { isHourly, ladder, slotStep, wholeBuckets } from '../../../contract/ladder.ts'
import { type ClickHouse, selectColumns, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { assemble, type Latest, type Points, type Timeline } from './assemble.ts'
import { atLeast, type Question } from './question.ts'

/** Rows that an answer off the ladder may read, some seconds of work. Above it, the next step of the ladder answers. */
const maxRowsToRead = 50_000_000

export interface HistoryResult {
  /** The step that was answered, which may be another than the one asked. */
  step: number
  gpus: Record<string, GpuHistory>
}

/**
 * Answers a question from ClickHouse: from the cube when the step is on its ladder or each bucket holds one slot, else
 * computed. Several small statements run at the same time: together they take 14 ms, where one statement that joins them took 31,
 * most of it planning.
 */
export async function queryHistory(clickhouse: ClickHouse, question: Question): Promise<HistoryResult> {
  const { step, from, to } = question
  const asking = selectColumns<Timeline>(clickhouse, loadSql('clickhouse/queries/history/timeline'), {
    step,
    from,
    to,
  })
  if (question.known.length === 0 || from === to) return { step, gpus: assemble(question, await asking) }

  const onLadder = (ladder as readonly number[]).includes(step)
  const single = !onLadder && (await asking).slots.every((slots) => slots === 1)
  const storedStep = onLadder ? step : single ? slotStep : undefined
  if (storedStep === undefined && !isHourly(step) && !question.observed)
    return queryHistory(clickhouse, raised(question))
  const filter = {
    names: question.known,
    verified: question.verified,
    hosting_type: question.hosting_type,
    num_gpus: question.num_gpus,
    from,
    to,
  }
  try {
    const [timeline, points, seen, latest] = await Promise.all([
      asking,
      storedStep === undefined
        ? selectColumns<Points>(
            clickhouse,
            loadSql('clickhouse/queries/history/computed'),
            { ...filter, step, hourly: isHourly(step) },
            { max_rows_to_read: String(maxRowsToRead) },
          )
        : selectColumns<Points>(clickhouse, loadSql('clickhouse/queries/history/stored'), {
            ...filter,
            stored_step: storedStep,
          }),
      selectRows<{ gpu_name: string }>(clickhouse, loadSql('clickhouse/queries/history/seen'), {
        names: question.known,
        stored_step: storedStep ?? slotStep,
        from,
        to,
      }),
      selectRows<Latest>(clickhouse, loadSql('clickhouse/queries/history/latest'), filter),
    ])
    const bucketOf = storedStep === slotStep ? timeline.last_slot : timeline.start
    return {
      step,
      gpus: assemble(question, timeline, { bucketOf, points, latest, seen: seen.map((row) => row.gpu_name) }),
    }
  } catch (error) {
    if (!(error instanceof ClickHouseError && error.type === 'TOO_MANY_ROWS')) throw error
    return queryHistory(clickhouse, raised(question))
  }
}

/** The same question at the next step whose answers are stored. */
function raised(question: Question): Question {
  const step = atLeast(ladder, question.step)
  return { ...question, step, ...wholeBuckets(step, question) }
}
