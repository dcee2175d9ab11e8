import { type Completion, type CompletionSource, ifNotIn } from '@codemirror/autocomplete'
import { SQLDialect, type SQLNamespace, schemaCompletionSource } from '@codemirror/lang-sql'
import { LanguageSupport, syntaxTree } from '@codemirror/language'
import { compact } from '../../sizes.ts'
import type { SqlSchema, SqlTable } from '../api.ts'
import { shortType } from '../format.ts'

const syntax = {
  backslashEscapes: true,
  hashComments: true,
  doubleDollarQuotedStrings: true,
  identifierQuotes: '`"',
}

/** ClickHouse's SQL with the keywords and functions of this engine; plain SQL until they are known. */
export function clickhouse(schema: SqlSchema | undefined, gpuNames: readonly string[]): LanguageSupport {
  if (!schema) return new LanguageSupport(SQLDialect.define(syntax).language)
  const { tables, functions, keywords, types } = schema
  const schemaNames = new Set(
    tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]),
  )
  // A column with the name of a function (hour) is highlighted as a column.
  const words = (given: readonly string[]) => plainWords(given).filter((word) => !schemaNames.has(word))
  const operators = new Set(plainWords(keywords)) // AND and LIKE are functions as well
  const dialect = SQLDialect.define({
    ...syntax,
    keywords: words(keywords).join(' '),
    types: words(types).join(' '),
    builtin: words(functions)
      .filter((word) => !operators.has(word))
      .join(' '),
  })
  const complete = (autocomplete: CompletionSource) => dialect.language.data.of({ autocomplete })
  const known = onceEach([
    ...keywords.map((label) => ({ label, type: 'keyword', boost: 1 })),
    ...functions.map((label) => ({ label, type: 'function' })),
    ...types.map((label) => ({ label, type: 'type', boost: -1 })),
  ])
  return new LanguageSupport(dialect.language, [
    complete(ifNotIn(texts, schemaCompletionSource({ dialect, schema: namespaceOf(tables) }))),
    complete(ifNotIn(quiet, columnSource(tables))),
    complete(valueSource(valuesOf(tables, gpuNames))),
    complete(
      ifNotIn(
        quiet,
        wordSource(() => known),
      ),
    ),
  ])
}

/** Nodes that contain no SQL. */
const texts = ['String', 'LineComment', 'BlockComment']

/** Nodes without completions of words. After a dot, only columns of the table before it are offered. */
const quiet = [...texts, 'QuotedIdentifier', '.', 'CompositeIdentifier']

/** AND is a keyword and a function, Date a type and a function: it is offered once, under its most frequent use. */
function onceEach(given: readonly Completion[]): Completion[] {
  const found = new Map<string, Completion>()
  for (const one of given) {
    const name = one.label.toLowerCase()
    if (!found.has(name)) found.set(name, one)
  }
  return [...found.values()]
}

/** The known values of columns: names of GPUs, and values of enumerations. */
function valuesOf(tables: readonly SqlTable[], gpuNames: readonly string[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>([['gpu_name', new Set(gpuNames)]])
  for (const { name, type } of tables.flatMap(({ columns }) => columns)) {
    if (!type.includes('Enum')) continue
    const words = [...type.matchAll(/'([^']*)' = /g)].map(([, word = '']) => word)
    values.set(name, new Set([...(values.get(name) ?? []), ...words]))
  }
  return values
}

/** Completes a text literal that a column is compared with. */
const valueSource =
  (values: Map<string, Set<string>>): CompletionSource =>
  ({ state, pos }) => {
    const text = syntaxTree(state).resolveInner(pos, -1)
    const before = state.sliceDoc(Math.max(0, text.from - 500), text.from)
    if (text.name !== 'String' || pos === text.from) return null
    const [, column = ''] = /(\w+)\s*(?:=|!=|<>|\bi?like\b|\bin\b)\s*[([]?[^()[\]]*$/i.exec(before) ?? []
    const options = [...(values.get(column.toLowerCase()) ?? [])]
    if (options.length === 0) return null
    return {
      from: text.from + 1,
      options: options.map((label) => ({ label, type: 'constant' })),
      validFor: /^[^'\\]*$/,
    }
  }

/** Single words, as the highlighter compares them: ORDER BY is two. */
const plainWords = (given: readonly string[]): string[] => [
  ...new Set(given.flatMap((words) => words.toLowerCase().split(' ')).filter((word) => /^\w+$/.test(word))),
]

const namespaceOf = (tables: readonly SqlTable[]): SQLNamespace =>
  Object.fromEntries(
    tables.map((table) => [
      table.name,
      {
        self: {
          label: table.name,
          type: 'class',
          detail: table.rows === null ? table.engine : `${compact(table.rows)} rows`,
          info: table.comment,
          boost: 2,
        },
        children: columnsOf([table]),
      },
    ]),
  )

/** The columns of the tables that the document names, or of all tables when it names none. */
const columnSource = (tables: readonly SqlTable[]): CompletionSource =>
  wordSource((text) => {
    const named = tables.filter(({ name }) => text.includes(name))
    return columnsOf(named.length > 0 ? named : tables)
  })

/**
 * Completes the word at the cursor. (CodeMirror's `completeFromList` is not used: it derives the pattern of a word from the list, and ORDER BY
 * contains a space.)
 */
const wordSource =
  (options: (text: string) => Completion[]): CompletionSource =>
  (context) => {
    const word = context.matchBefore(/\w+/)
    if (!word && !context.explicit) return null
    return {
      from: word?.from ?? context.pos,
      options: options(context.state.doc.toString()),
      validFor: /^\w*$/,
    }
  }

function columnsOf(tables: readonly SqlTable[]): Completion[] {
  const found = new Map<string, Completion>()
  for (const { columns } of tables)
    for (const { name, type, comment } of columns)
      if (!found.has(name))
        found.set(name, { label: name, type: 'property', detail: shortType(type), info: comment, boost: 3 })
  return [...found.values()]
}
