import { isolateHistory } from '@codemirror/commands'
import type { EditorState } from '@codemirror/state'
import { computed, signal } from '@preact/signals'
import { takesEmpty, valueGiven } from '../parameters.ts'
import { createCursor } from './cursor.ts'
import type { Draft } from './draft.ts'
import type { Editor } from './editor.ts'
import { createTabs, type QueryTab } from './query-tabs.ts'
import { type Statement, statementAt } from './statement.ts'

/** The content of the editor: its tabs, the text, the statement at the cursor, and the values of its parameters. */
export function createDocument() {
  const tabs = createTabs()
  const text = computed(() => tabs.chosen.value.text.value)
  const values = computed(() => tabs.chosen.value.values.value)
  const statement = signal<Statement>({ text: '', from: 0, parameters: [] })
  let editor: Editor | undefined
  const { failedAt, ...cursor } = createCursor(() => editor?.view)

  const params = computed(() =>
    Object.fromEntries(
      statement.value.parameters.map(({ name, type }) => [name, valueGiven(values.value[name] ?? '', type)]),
    ),
  )
  /** Parameters without a value, of types that need one. */
  const missing = computed(() =>
    statement.value.parameters.filter(({ name, type }) => !values.value[name] && !takesEmpty(type)),
  )

  function setValues(given: Record<string, string>): void {
    const { values: own } = tabs.chosen.value
    own.value = { ...own.value, ...given }
  }
  /** Replaces a part of the text; undo restores it. */
  function replace(from: number, to: number, insert: string): void {
    editor?.view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from },
      scrollIntoView: true,
      annotations: isolateHistory.of('full'),
    })
    editor?.view.focus()
  }
  function show(tab: QueryTab): void {
    const { value: before } = tabs.chosen
    if (tab === before) return
    if (editor) before.state = editor.view.state
    tabs.chosen.value = tab
    failedAt.value = undefined
    editor?.swap(tab.text.value, tab.state)
  }
  function load(query: string, given: Record<string, string> = {}): void {
    setValues(given)
    replace(0, editor?.view.state.doc.length ?? 0, query)
  }

  return {
    tabs,
    text,
    values,
    statement,
    params,
    missing,
    failedAt,
    ...cursor,
    setValues,
    show,
    attach(opened: Editor): void {
      editor = opened
      statement.value = statementAt(opened.view.state)
    },
    noteChange(state: EditorState): void {
      tabs.chosen.value.text.value = state.doc.toString()
      statement.value = statementAt(state)
    },
    /** Replaces the text of the tab by a query. */
    load,
    /** Opens a query in a new tab, or if there are too many tabs in the present one. */
    open(draft: Draft): void {
      const tab = tabs.open(draft)
      if (tab) show(tab)
      else load(draft.text, draft.values)
      editor?.view.focus()
    },
    close(tab: QueryTab): void {
      if (tabs.list.value.length === 1) tabs.open({ text: '', values: {} })
      show(tabs.beside(tabs.list.value.at(-1) === tab ? -1 : 1))
      tabs.close(tab)
      editor?.view.focus()
    },
    /** Formats the statement. false: it cannot be formatted. */
    async format(): Promise<boolean> {
      const { formatted } = await import('./formatting.ts')
      const { text: given, from } = statement.value
      const laidOut = formatted(given)
      if (laidOut !== undefined) replace(from, from + given.length, laidOut)
      return laidOut !== undefined
    },
  }
}
