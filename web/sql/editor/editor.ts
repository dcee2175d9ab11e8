import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import type { Theme } from '../../theme.ts'
import type { SqlSchema } from '../api.ts'
import { clickhouse } from './dialect.ts'
import { editorTheme } from './editor-theme.ts'
import { typeOver } from './type-over.ts'

export interface EditorOptions {
  text: string
  onRun(): void
  /** Called when the text, the cursor or the selection has changed. */
  onChange(state: EditorState): void
}

export interface Editor {
  view: EditorView
  use(theme: Theme): void
  /** Sets the names that are completed. */
  know(schema: SqlSchema | undefined, gpuNames: readonly string[]): void
  /** Edits another text, with its former cursor and undo history if it was edited before. */
  swap(text: string, state: EditorState | undefined): void
}

/**
 * An editor for SQL in a shadow tree of `host`: there its styles are adopted style sheets, which the page's Content-Security-Policy allows, unlike
 * <style> elements. Tab leaves it, as it leaves any field, unless a completion is open. The caller destroys the view.
 */
export function openEditor(host: HTMLElement, { text, onRun, onChange }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const dark = new Compartment()
  const language = new Compartment()
  let isDark: Extension = []
  let known: Extension = clickhouse(undefined, [])
  const run = (view: EditorView) => {
    closeCompletion(view)
    onRun()
    return true
  }
  const own: KeyBinding[] = [
    { key: 'Mod-Enter', run },
    { key: 'Ctrl-Enter', run },
    { key: 'Tab', run: acceptCompletion },
  ]
  const stateOf = (doc: string) =>
    EditorState.create({
      doc,
      extensions: [
        keymap.of(own),
        basics,
        language.of(known),
        dark.of(isDark),
        EditorView.updateListener.of(({ docChanged, selectionSet, state, view }) => {
          if (docChanged || selectionSet) onChange(state)
          // A completion that was pending when the focus left would stay.
          if (completionStatus(state) === 'active' && !view.hasFocus) setTimeout(() => closeCompletion(view))
        }),
      ],
    })
  const view = new EditorView({ root, parent: root, state: stateOf(text) })
  return {
    view,
    use(theme) {
      isDark = EditorView.darkTheme.of(theme === 'dark')
      view.dispatch({ effects: dark.reconfigure(isDark) })
    },
    know(schema, gpuNames) {
      known = clickhouse(schema, gpuNames)
      view.dispatch({ effects: language.reconfigure(known) })
      onChange(view.state)
    },
    swap(other, state) {
      view.setState(state ?? stateOf(other))
      if (state) view.dispatch({ effects: [dark.reconfigure(isDark), language.reconfigure(known)] })
      onChange(view.state)
    },
  }
}

const basics: Extension = [
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  search(),
  highlightSelectionMatches(),
  typeOver,
  EditorView.lineWrapping,
  editorTheme,
  placeholder('SELECT …'),
  // The field can have the focus anyway; accessibility checkers look for the attribute.
  EditorView.contentAttributes.of({ 'aria-label': 'SQL statement', tabindex: '0' }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
]
