import { createHash } from 'node:crypto'
import { loadSql, sqlNames } from './sql-files.ts'

/** A file with a part of a database's schema. */
export interface SchemaFile {
  /** The name, as for `loadSql`. */
  name: string
  /** One statement, or several after a line `-- name: …` each (ClickHouse); a transaction (PostgreSQL). */
  text: string
  hash: string
  /** A view holds no data, so a changed file replaces it. Any other file is applied once and never changes. */
  isView: boolean
}

/** An entry of a database's ledger: a file that it has applied, and the hash of its text. */
export interface AppliedFile {
  name: string
  hash: string
}

/**
 * The files of the last release (commit f3fc77a8) were replaced by one baseline: names before `until` belong to it. `digest` is the hash of the ledger
 * that this release wrote.
 */
const baselines = {
  PostgreSQL: {
    until: 'postgres/migrations/044',
    digest: '8c7d602b4580210f898ab4aae45b25405199b7eb5fdb8c4b71c1313f09187900',
  },
  ClickHouse: {
    until: 'clickhouse/migrations/026',
    digest: '057c1e042f4201dc62e9da3500f5d3e95b7532b6e3f4ca2ff6890762196f7c78',
  },
}

export const postgresFiles = (): SchemaFile[] => filesIn('postgres/migrations')

export function clickhouseFiles(): SchemaFile[] {
  const tables = filesIn('clickhouse/migrations')
  // ClickHouse fixes the columns of a view when the view is created, so views are created again after each new migration.
  const version = tables.map(({ hash }) => hash).join()
  const views = sqlNames('clickhouse/views').map((name) => {
    const text = loadSql(name)
    return { name, text, hash: hashOf(version + text), isView: true }
  })
  return [...tables, ...views]
}

/** The sentence for a database that this release cannot upgrade itself. */
export const tooOld = (store: string): string =>
  `The ${store} database was made by a release before commit f3fc77a8, or its upgrade to that release has not ended. Run \`rackrate migrate\` of commit f3fc77a8 first, then of this release.`

/**
 * The files that a database has yet to apply, in order. Throws an Error that names the way out when the database was made by a newer or a too
 * old release, or when a file that it has applied is not the same any more.
 */
export function pendingFiles(
  store: keyof typeof baselines,
  files: readonly SchemaFile[],
  ledger: readonly AppliedFile[],
): SchemaFile[] {
  const applied = withBaseline(store, files, ledger)
  const known = new Set(files.map(({ name }) => name))
  const newer = applied.find(({ name }) => !known.has(name))
  if (newer)
    throw new Error(
      `The ${store} database was made by a newer release: it has ${newer.name}, which this release lacks. Use that release or a later one.`,
    )
  const hashes = new Map(applied.map(({ name, hash }) => [name, hash]))
  const differs = ({ name, hash }: SchemaFile) => (hashes.get(name) ?? hash) !== hash
  const changed = files.find((file) => !file.isView && differs(file))
  if (changed)
    throw new Error(
      `sql/${changed.name}.sql has changed since the ${store} database applied it. Restore the file, and put the change in a new one.`,
    )
  return files.filter((file) => !hashes.has(file.name) || differs(file))
}

/** The ledger, with the files that the baseline replaces listed as the baseline. */
function withBaseline(
  store: keyof typeof baselines,
  files: readonly SchemaFile[],
  ledger: readonly AppliedFile[],
): readonly AppliedFile[] {
  const { until, digest } = baselines[store]
  const baseline = files.filter(({ name }) => name < until)
  const isReplaced = ({ name }: AppliedFile) => name < until && !baseline.some((file) => file.name === name)
  const replaced = ledger.filter(isReplaced)
  if (replaced.length === 0) return ledger
  const entries = replaced.map(({ name, hash }) => `${name} ${hash}`).sort()
  if (hashOf(entries.join('\n')) !== digest) throw new Error(tooOld(store))
  return [...ledger.filter((entry) => !isReplaced(entry)), ...baseline]
}

const filesIn = (folder: string): SchemaFile[] =>
  sqlNames(folder).map((name) => {
    const text = loadSql(name)
    return { name, text, hash: hashOf(text), isView: false }
  })

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
