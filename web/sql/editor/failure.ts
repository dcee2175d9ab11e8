import { setDiagnostics } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import type { Failure } from '../run/execution.ts'

export interface TextSpan {
  from: number
  to: number
}

/** The part of the sent text that a failure is about; undefined: ClickHouse does not report it. */
export function spanOf({ message, position }: Failure, sent: string): TextSpan | undefined {
  if (position !== undefined) return wordAt(sent, indexOfByte(sent, position - 1))
  // An unknown name is reported without a position.
  const name = /[`']([A-Za-z_][\w.]*)[`']/.exec(message)?.[1]?.split('.').at(-1)
  const at = name === undefined ? -1 : sent.search(new RegExp(`\\b${name}\\b`))
  return at < 0 ? undefined : wordAt(sent, at)
}

/** ClickHouse counts bytes of UTF-8, JavaScript UTF-16 units. */
const indexOfByte = (text: string, bytes: number): number =>
  new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length

function wordAt(text: string, from: number): TextSpan {
  const start = Math.min(from, Math.max(0, text.length - 1)) // the position of "end of query" is after the end
  const [word = ' '] = /^(\w+|.)/s.exec(text.slice(start)) ?? []
  return { from: start, to: Math.min(text.length, start + word.length) }
}

/** Marks a failure in the document, or removes the mark. */
export function mark(view: EditorView, message?: string, span?: TextSpan): void {
  const length = view.state.doc.length
  const diagnostics =
    span && message && span.from <= length
      ? [{ from: span.from, to: Math.min(length, span.to), severity: 'error' as const, message }]
      : []
  view.dispatch(setDiagnostics(view.state, diagnostics))
}
