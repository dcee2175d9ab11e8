import { signal } from '@preact/signals'
import { createDocument } from './editor/document.ts'
import { createRunner } from './run/execution.ts'

export type SqlConsole = ReturnType<typeof createConsole>

/** What the parts of the console share: what is in the editor, and the query that runs. Lives as long as the page is open. */
export function createConsole() {
  const { markFailure, unmark, stopKeeping, ...document } = createDocument()
  const { execution, run, cancel } = createRunner()
  /** Show a chart rather than a table where the result allows one; kept from query to query. */
  const wantsChart = signal(false)

  /** Runs the statement at the cursor, with `before` in front of it. */
  async function start(before = ''): Promise<void> {
    const statement = document.statement.value
    if (statement.text === '') return
    unmark()
    const { failure } = await run({ query: before + statement.text, params: document.params.value })
    if (failure) markFailure(failure, before, statement)
  }

  return {
    ...document,
    execution,
    wantsChart,
    start: () => start(),
    explain: () => start('EXPLAIN indexes = 1 '),
    /** Runs a statement that is not in the editor. */
    show(query: string): void {
      unmark()
      run({ query, params: {} })
    },
    cancel,
    close(): void {
      cancel()
      stopKeeping()
    },
  }
}
