import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

/** The part of the document that Run sends. */
export interface Statement {
  text: string
  /** Its start in the document. */
  from: number
  parameters: Parameter[]
}

/** `{name:Type}` */
export interface Parameter {
  name: string
  type: string
}

/** The selection, or without one the statement at or before the cursor. */
export function statementAt(state: EditorState): Statement {
  const { from, to, empty } = state.selection.main
  return empty ? cut(state, ...around(state, from)) : cut(state, from, to)
}

function around(state: EditorState, cursor: number): [number, number] {
  const statements = treeOf(state).topNode.getChildren('Statement')
  const here =
    statements.find((node) => node.from <= cursor && cursor <= node.to) ??
    statements.find((node) => cursor < node.from && onlyComments(state, cursor, node.from)) ??
    statements.findLast((node) => node.to < cursor) ??
    statements[0]
  if (!here) return [0, 0]
  const end = here.lastChild
  return [here.from, end?.name === ';' ? end.from : here.to]
}

/** True if there are only comments between two places, so that the next statement is meant. */
const onlyComments = (state: EditorState, from: number, to: number): boolean => {
  const line = state.doc.lineAt(from)
  return /^(\s|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)*$/.test(state.sliceDoc(line.from, to)) && /\S/.test(line.text)
}

function cut(state: EditorState, from: number, to: number): Statement {
  const given = state.sliceDoc(from, to)
  const text = given.trim()
  return {
    text,
    from: from + given.indexOf(text),
    parameters: parametersIn(state, from, to),
  }
}

function parametersIn(state: EditorState, from: number, to: number): Parameter[] {
  const found = new Map<string, Parameter>()
  const look = (braces: string) => {
    const [, name, type] = /^\{\s*(\w+)\s*:\s*(.+?)\s*\}$/s.exec(braces) ?? []
    if (name && type && !found.has(name)) found.set(name, { name, type })
  }
  treeOf(state).iterate({
    from,
    to,
    enter: (node) => {
      if (node.name === 'Braces' && node.from >= from && node.to <= to)
        look(state.sliceDoc(node.from, node.to))
    },
  })
  return [...found.values()]
}

/** The tree of the whole document, unless that takes longer than a keystroke may. */
const treeOf = (state: EditorState) => ensureSyntaxTree(state, state.doc.length, 50) ?? syntaxTree(state)
