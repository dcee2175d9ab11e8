import { createHash } from 'node:crypto'
import { loadSql, sqlNames } from './sql-files.ts'

/** A file with a part of a database's schema. */
export interface SchemaFile {
  /** The name, as for `loadSql`. */
  name: string
  text: string
  hash: string
  /** A view holds no data, so a changed file replaces it. Any other file is applied once and never changes. */
  isView: boolean
}

/** A database's record of an applied file. The hash is null in a PostgreSQL database from before hashes were recorded. */
export interface AppliedFile {
  name: string
  hash: string | null
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

/**
 * The files that a database has yet to apply, in order. Throws an Error that names the way out when the database was made by a
 * newer release, or when an applied file has changed.
 */
export function pendingFiles(
  store: string,
  files: readonly SchemaFile[],
  applied: readonly AppliedFile[],
): SchemaFile[] {
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

const filesIn = (folder: string): SchemaFile[] =>
  sqlNames(folder).map((name) => {
    const text = loadSql(name)
    return { name, text, hash: hashOf(text), isView: false }
  })

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
