import { isolateHistory } from '@codemirror/commands'
import type { EditorState } from '@codemirror/state'
import { computed, effect, signal } from '@preact/signals'
import { valueGiven } from '../parameters.ts'
import type { Failure } from '../run/execution.ts'
import { keepDraft, readDraft } from './draft.ts'
import type { Editor } from './editor.ts'
import { mark, type Span, spanOf } from './failure.ts'
import { type Statement, statementAt } from './statement.ts'

/** What is written in the editor: the text, the statement at the cursor, and the values of its parameters. */
export function createDocument() {
  const draft = readDraft()
  const text = signal(draft.text)
  const values = signal(draft.values)
  const statement = signal<Statement>({ text: '', from: 0, parameters: [] })
  /** Where the last failure is, when it is known. */
  const failedAt = signal<Span>()
  let editor: Editor | undefined
  const stopKeeping = effect(() => keepDraft({ text: text.value, values: values.value }))

  const params = computed(() =>
    Object.fromEntries(
      statement.value.parameters.map(({ name, type }) => [name, valueGiven(values.value[name] ?? '', type)]),
    ),
  )

  return {
    text,
    values,
    statement,
    params,
    failedAt,
    attach(opened: Editor): void {
      editor = opened
      statement.value = statementAt(opened.view.state)
    },
    noteChange(state: EditorState): void {
      text.value = state.doc.toString()
      statement.value = statementAt(state)
    },
    /** Replaces the text by a query; undo restores it. */
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
    /** Marks a failure of `before` and the statement, unless the statement has changed since it was sent. */
    markFailure(failure: Failure, before: string, { text: asked, from }: Statement): void {
      const view = editor?.view
      const span = spanOf(failure, before + asked)
      // What is sent begins at `from`; what was put before it is nowhere in the document.
      const shift = from - before.length
      if (!view || !span || span.from < before.length) return
      if (view.state.sliceDoc(from, from + asked.length) !== asked) return
      failedAt.value = { from: span.from + shift, to: span.to + shift }
      mark(view, failure.message, failedAt.value)
    },
    unmark(): void {
      failedAt.value = undefined
      if (editor) mark(editor.view)
    },
    stopKeeping,
  }
}
