import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const texts = new Map<string, string>()

/** The text of sql/NAME.sql, read once: `loadSql('clickhouse/queries/history/stored')`. */
export function loadSql(name: string): string {
  let text = texts.get(name)
  if (text === undefined) {
    text = readFileSync(require.resolve(`#sql/${name}.sql`), 'utf8')
    texts.set(name, text)
  }
  return text
}

const root = join(dirname(require.resolve('#sql/postgres/migrations/001_accounts.sql')), '../..')

/** The names of the files in a folder of sql/, in order: `sqlNames('clickhouse/views')` is `['clickhouse/views/bucket_rows', …]`. */
export const sqlNames = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => `${folder}/${file.slice(0, -'.sql'.length)}`)
    .sort()

/** A cluster of ClickHouse's configuration, and the database on it. */
export interface ClusterPlace {
  cluster: string
  database: string
}

/**
 * A statement as one server or a cluster takes it. What stands in `/*! … *\/` is part of the statement on a cluster, with $cluster and
 * $database filled in, and a comment on a single server.
 */
export function textFor(text: string, place: ClusterPlace | undefined): string {
  if (!place) return text
  return text.replace(/\/\*!(.*?)\*\//gs, (_, inner: string) =>
    inner.replaceAll('$cluster', () => `'${place.cluster}'`).replaceAll('$database', () => place.database),
  )
}

/** Whether a statement has nothing but comments. */
export const isEmpty = (text: string): boolean =>
  text
    .replace(/--.*/g, '')
    .replace(/\/\*.*?\*\//gs, '')
    .trim() === ''
