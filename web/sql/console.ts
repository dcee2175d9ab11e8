import { isolateHistory } from '@codemirror/commands'
import type { EditorState } from '@codemirror/state'
import { computed, effect, signal } from '@preact/signals'
import { keepDraft, readDraft } from './editor/draft.ts'
import type { Editor } from './editor/editor.ts'
import { type Statement, statementAt } from './editor/statement.ts'
import { createRunner } from './run/execution.ts'
import { mark, type Span, spanOf } from './run/failure.ts'

export type SqlConsole = ReturnType<typeof createConsole>

/** As the API takes it: nothing for a Nullable is NULL, and an array is one, with quotes of either kind. */
function valueGiven(given: string, type: string): unknown {
  if (given === '' && type.startsWith('Nullable(')) return null
  if (!type.startsWith('Array(')) return given
  for (const text of [given, given.replaceAll("'", '"')]) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return given
}

/** What the parts of the console share: the editor, what is in it, and the query that runs. Lives as long as the page is open. */
export function createConsole() {
  const draft = readDraft()
  const text = signal(draft.text)
  const values = signal(draft.values)
  const statement = signal<Statement>({ text: '', from: 0, parameters: [] })
  /** Rather a chart than a table, where there can be one: kept from query to query. */
  const wantsChart = signal(false)
  /** Where the last failure is in the document, when it's known. */
  const failedAt = signal<Span>()
  const { execution, run, cancel } = createRunner()
  let editor: Editor | undefined
  const stopKeeping = effect(() => keepDraft({ text: text.value, values: values.value }))

  const params = computed(() =>
    Object.fromEntries(
      statement.value.parameters.map(({ name, type }) => {
        const given = values.value[name] ?? ''
        return [name, valueGiven(given, type)]
      }),
    ),
  )

  /** Takes the mark of the last failure away. */
  function forget(): void {
    failedAt.value = undefined
    if (editor) mark(editor.view)
  }

  /** Runs the statement at hand, with words before it. */
  async function start(before = ''): Promise<void> {
    const { text: asked, from } = statement.value
    if (asked === '' || !editor) return
    const { view } = editor
    forget()
    const { failure } = await run({ query: before + asked, params: params.value })
    if (!failure) return
    const span = spanOf(failure, before + asked)
    // What is sent begins at `from`; what was put before it is nowhere in the document.
    const shift = from - before.length
    if (!span || span.from < before.length || view.state.sliceDoc(from, from + asked.length) !== asked) return
    failedAt.value = { from: span.from + shift, to: span.to + shift }
    mark(view, failure.message, failedAt.value)
  }

  return {
    values,
    statement,
    execution,
    wantsChart,
    failedAt,
    start: () => start(),
    explain: () => start('EXPLAIN indexes = 1 '),
    /** Runs a statement that isn't the editor's. */
    show(query: string): void {
      forget()
      run({ query, params: {} })
    },
    cancel,
    text,
    attach(opened: Editor): void {
      editor = opened
      statement.value = statementAt(opened.view.state)
    },
    noteChange(state: EditorState): void {
      text.value = state.doc.toString()
      statement.value = statementAt(state)
    },
    /** Puts a query into the editor; undo brings back what was there. */
    load(query: string, given: Record<string, string> = {}): void {
      const view = editor?.view
      view?.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: query },
        selection: { anchor: 0 },
        scrollIntoView: true,
        annotations: isolateHistory.of('full'),
      })
      values.value = { ...values.value, ...given }
      view?.focus()
    },
    insert(name: string): void {
      const view = editor?.view
      view?.dispatch(view.state.replaceSelection(name))
      view?.focus()
    },
    jump({ from, to }: Span): void {
      const view = editor?.view
      if (!view) return
      const { length } = view.state.doc // it may have become shorter
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      })
      view.focus()
    },
    close(): void {
      cancel()
      stopKeeping()
    },
  }
}
