import { CopyButton } from '../../components/copy-button.tsx'
import type { SqlConsole } from '../console.ts'
import type { Execution } from '../run/execution.ts'
import { Download } from './download.tsx'
import { FailureNote, ProgressBar, Status } from './status.tsx'
import { TableResult } from './table-result.tsx'
import { textOf } from './values.ts'

/** The result of a query so far, as text or as rows. */
export function Result({ desk }: { desk: SqlConsole }) {
  const execution = desk.execution.value
  const text = execution && textIn(execution)
  return (
    <section class="result" aria-label="Result">
      {execution?.state === 'running' && <ProgressBar progress={execution.answer.progress} />}
      {execution && text === undefined && execution.answer.columns.length > 0 ? (
        <TableResult key={execution.id} execution={execution} desk={desk} />
      ) : (
        <>
          <div class="bar">
            <Status execution={execution} />
            <span class="spring" />
            {execution && text !== undefined && (
              <>
                <CopyButton label="Copy all" text={() => text} />
                <Download question={execution.question} />
              </>
            )}
          </div>
          <FailureNote desk={desk} />
          {text !== undefined && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
            <section class="text" tabIndex={0} aria-label="Result as text">
              <pre>{text}</pre>
            </section>
          )}
        </>
      )}
    </section>
  )
}

/** An answer in another FORMAT, or the lines of EXPLAIN, which belong together. */
function textIn({ answer: { text, columns, rows } }: Execution): string | undefined {
  const isPlan = columns.length === 1 && columns[0]?.name === 'explain'
  return isPlan ? rows.map(([line]) => textOf(line)).join('\n') : text
}
