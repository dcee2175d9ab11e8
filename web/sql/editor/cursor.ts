import type { EditorView } from '@codemirror/view'
import { signal } from '@preact/signals'
import type { Failure } from '../run/execution.ts'
import { mark, spanOf, type TextSpan } from './failure.ts'
import type { Statement } from './statement.ts'

/** The actions at the cursor or at the position of a failure. */
export function createCursor(viewNow: () => EditorView | undefined) {
  /** The position of the last failure, if known. */
  const failedAt = signal<TextSpan>()
  return {
    failedAt,
    insert(name: string): void {
      const view = viewNow()
      view?.dispatch(view.state.replaceSelection(name))
      view?.focus()
    },
    jump({ from, to }: TextSpan): void {
      const view = viewNow()
      if (!view) return
      const { length } = view.state.doc // the text may have become shorter
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      })
      view.focus()
    },
    /** Marks a failure of `before` and the statement, unless the statement has changed since it was sent. */
    markFailure(failure: Failure, before: string, { text: asked, from }: Statement): void {
      const view = viewNow()
      const span = spanOf(failure, before + asked)
      // The sent statement begins at `from` in the document. The text `before` it is not in the document.
      const shift = from - before.length
      if (!view || !span || span.from < before.length) return
      if (view.state.sliceDoc(from, from + asked.length) !== asked) return
      failedAt.value = { from: span.from + shift, to: span.to + shift }
      mark(view, failure.message, failedAt.value)
    },
    unmark(): void {
      failedAt.value = undefined
      const view = viewNow()
      if (view) mark(view)
    },
  }
}
