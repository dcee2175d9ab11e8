import { count } from '../../format.ts'
import { bytes, compact } from '../../sizes.ts'
import type { SqlConsole } from '../console.ts'
import { rowsText, tookText } from '../format.ts'
import type { Progress } from '../run/answer.ts'
import type { Execution } from '../run/execution.ts'

/** The progress of a query, or how it ended. */
export function Status({ execution }: { execution: Execution | undefined }) {
  if (!execution) return <p class="quiet">Run a statement to see its result here.</p>
  const { state, answer, seconds } = execution
  const isRunning = state === 'running'
  const { rows, bytes: size, total } = answer.progress ?? { rows: 0, bytes: 0 }
  const isKnown = isRunning && total !== undefined
  return (
    <div class="status">
      {/* Only the end is announced: screen readers would read progress out ten times a second. */}
      <p role="status">{isRunning ? '' : endOf(execution)}</p>
      {isRunning && <strong>Running</strong>}
      <p class="quiet">
        {tookText(seconds)}
        {answer.progress &&
          ` · ${compact(rows)}${isKnown ? ` of ${compact(total)}` : ''} rows read, ${bytes(size)}`}
      </p>
    </div>
  )
}

/** The progress of a running query, as ClickHouse estimates it. */
export function ProgressBar({ progress }: { progress: Progress | undefined }) {
  const { rows = 0, total } = progress ?? {}
  return total ? (
    <progress aria-label="Rows read" value={Math.min(rows, total)} max={total} />
  ) : (
    <progress aria-label="Rows read" />
  )
}

/** The reason why a query failed, with a link to its position. */
export function FailureNote({ desk }: { desk: SqlConsole }) {
  const failure = desk.execution.value?.failure
  const at = desk.failedAt.value
  if (!failure) return null
  return (
    <div role="alert" class="failure">
      <pre>{failure.message.trim()}</pre>
      {at && (
        <button type="button" class="small" onClick={() => desk.jump(at)}>
          Go to the error
        </button>
      )}
    </div>
  )
}

function endOf({ state, rowCount, answer }: Execution): string {
  const rows = answer.text === undefined ? rowsText(rowCount) : 'Done'
  switch (state) {
    case 'cut':
      return answer.text === undefined
        ? `The first ${count(answer.most)} rows. The query was stopped here; a download has all rows.`
        : 'The beginning of the result; a download has all of it.'
    case 'cancelled':
      return rowCount > 0 ? `Cancelled after ${rows}` : 'Cancelled'
    case 'failed':
      return rowCount > 0 ? `Failed after ${rows}` : 'Failed'
    default:
      return rows
  }
}
