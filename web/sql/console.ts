import { computed, signal } from '@preact/signals'
import type { SqlChart } from '../../contract/dashboards.ts'
import { createDocument } from './editor/document.ts'
import type { QueryTab } from './editor/query-tabs.ts'
import { createRunner } from './run/execution.ts'

export type SqlConsole = ReturnType<typeof createConsole>

/** The state that the parts of the console share: the editor's content and the running query. It exists while the page is open. */
export function createConsole() {
  const { markFailure, unmark, close: closeTab, ...document } = createDocument()
  const { tabs } = document
  /** Each tab has a result of its own. */
  const runners = new Map<QueryTab, ReturnType<typeof createRunner>>()
  function runnerOf(tab: QueryTab) {
    const runner = runners.get(tab) ?? createRunner()
    runners.set(tab, runner)
    return runner
  }
  const execution = computed(() => runnerOf(tabs.chosen.value).execution.value)
  /** True to show a chart instead of a table if the result allows it. Kept from query to query. */
  const wantsChart = signal(false)
  /** The visitor's choice of a chart. Kept for results that have its columns. */
  const chart = signal<SqlChart>()
  /** Number of runs refused because values are missing. */
  const asks = signal(0)
  /** The reason why an action on the text failed. */
  const notice = signal('')

  /** Runs the statement at the cursor, with `before` in front of it. */
  async function start(before = ''): Promise<void> {
    notice.value = ''
    asks.value = document.missing.value.length > 0 ? asks.value + 1 : 0
    const statement = document.statement.value
    if (statement.text === '' || asks.value > 0) return
    unmark()
    const { chosen } = tabs
    const tab = chosen.value
    const { failure } = await runnerOf(tab).run({
      query: before + statement.text,
      params: document.params.value,
    })
    if (failure && chosen.value === tab) markFailure(failure, before, statement)
  }

  return {
    ...document,
    execution,
    wantsChart,
    chart,
    asks,
    notice,
    start: () => start(),
    explain: () => start('EXPLAIN indexes = 1 '),
    /** Runs a statement that is not in the editor. */
    show(query: string): void {
      unmark()
      runnerOf(tabs.chosen.value).run({ query, params: {} })
    },
    showTab(tab: QueryTab): void {
      notice.value = ''
      document.show(tab)
    },
    async format(): Promise<void> {
      notice.value = (await document.format()) ? '' : 'This statement cannot be formatted.'
    },
    cancel: () => runnerOf(tabs.chosen.value).cancel(),
    closeTab(): void {
      const { value: tab } = tabs.chosen
      runners.get(tab)?.cancel()
      runners.delete(tab)
      closeTab(tab)
    },
    close(): void {
      for (const { cancel } of runners.values()) cancel()
      tabs.stopKeeping()
    },
  }
}
