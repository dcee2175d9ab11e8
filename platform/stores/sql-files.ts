import { sqlTexts } from '../../sql/texts.ts'

/** The names of the files in a folder of sql/, in order: `sqlNames('clickhouse/views')` is `['clickhouse/views/bucket_rows', …]`. */
export const sqlNames = (folder: string): string[] =>
  [...sqlTexts.keys()]
    .filter((name) => name.startsWith(`${folder}/`) && !name.includes('/', folder.length + 1))
    .sort()

/**
 * SQL shared by many statements, by name. Each part of the files in sql/clickhouse/fragments/ follows a comment that begins with
 * `{{name}}`.
 */
export const sqlFragments: ReadonlyMap<string, string> = new Map(
  sqlNames('clickhouse/fragments')
    .flatMap((file) => (sqlTexts.get(file) ?? '').split(/^-- (?=\{\{)/m).slice(1))
    .map((part) => [part.slice(2, part.indexOf('}}')), part.replace(/^.*\n(--.*\n)*/, '').trim()]),
)

const withFragments = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fragment = sqlFragments.get(name)
    if (fragment === undefined) throw new Error(`there is no {{${name}}} in sql/clickhouse/fragments/`)
    return withFragments(fragment)
  })

/** The statements of a file of queries by their full names. Each part of the file follows a line `-- name: NAME`. */
const statementsIn = (file: string, text: string): [string, string][] =>
  text
    .split(/^-- name: /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return [`${file}/${part.slice(0, end)}`, part.slice(end + 1)]
    })

const texts = new Map(
  [...sqlTexts]
    .filter(([file]) => !file.startsWith('clickhouse/fragments/'))
    .flatMap(([file, text]) =>
      file.includes('/queries/') ? statementsIn(file, text) : [[file, text] as const],
    )
    .map(([name, text]) => [name, withFragments(text)]),
)

/** The full names of all statements, such as `clickhouse/queries/history/stored`: the file, and the name within it. */
export const statementNames: readonly string[] = [...texts.keys()].filter((name) =>
  name.includes('/queries/'),
)

/**
 * The text that a client sends for a statement. `history/stored` is the statement `stored` of sql/ENGINE/queries/history.sql. Any
 * other string is already a text.
 */
export const statementText = (engine: 'postgres' | 'clickhouse', statement: string): string =>
  /^[\w-]+\/[\w-]+$/.test(statement) ? loadSql(`${engine}/queries/${statement}`) : statement

/** The text of a file of sql/, or of a statement of a file of queries: `loadSql('clickhouse/queries/history/stored')`. */
export function loadSql(name: string): string {
  const text = texts.get(name)
  if (text === undefined) throw new Error(`there is no ${name} in sql/`)
  return text
}

/** A cluster of ClickHouse's configuration, and the database on it. */
export interface ClusterPlace {
  cluster: string
  database: string
}

/**
 * A statement in the form for one server or a cluster. Text in `/*! … *\/` is part of the statement on a cluster, with $cluster
 * and $database filled in, and a comment on a single server.
 */
export function textFor(text: string, place: ClusterPlace | undefined): string {
  if (!place) return text
  return text.replace(/\/\*!(.*?)\*\//gs, (_, inner: string) =>
    inner.replaceAll('$cluster', () => `'${place.cluster}'`).replaceAll('$database', () => place.database),
  )
}

/**
 * A statement with the SELECT of a view in place of `view(…)`. The parameters need the names of the view's parameters. ClickHouse
 * plans the text of a view with parameters twice. On a cluster the view stays, since it lets each shard compute.
 */
export function withRowsOf(view: string, text: string, place: ClusterPlace | undefined): string {
  if (place) return text
  const name = `clickhouse/views/${view}`
  const select = loadSql(name).replace(/^.*? AS\n/s, '')
  return text.replace(new RegExp(`${view}\\(.*\\)`), () => `(\n${select})`)
}

/** True if a statement has only comments. */
export const isEmpty = (text: string): boolean =>
  text
    .replace(/--.*/g, '')
    .replace(/\/\*.*?\*\//gs, '')
    .trim() === ''
