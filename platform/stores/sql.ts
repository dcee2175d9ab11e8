import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

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

/** The names of the migrations of one database, in order: `['postgres/migrations/001_accounts', …]`. */
export function migrationNames(database: 'postgres' | 'clickhouse'): string[] {
  const folder = dirname(
    require.resolve(`#sql/${database}/migrations/001_${database === 'postgres' ? 'accounts' : 'slots'}.sql`),
  )
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => `${database}/migrations/${file.slice(0, -'.sql'.length)}`)
}

/** Where statements run on more than one server: the cluster of ClickHouse's configuration, and our database there. */
export interface ClusterPlace {
  cluster: string
  database: string
}

/**
 * The text of a statement for where it runs: what stands in `/*! … *\/` counts on a cluster only, with $cluster and $database filled in;
 * for a single server it's a comment.
 */
export function textFor(text: string, place: ClusterPlace | undefined): string {
  if (!place) return text
  return text.replace(/\/\*!(.*?)\*\//gs, (_, inner: string) =>
    inner.replaceAll('$cluster', () => `'${place.cluster}'`).replaceAll('$database', () => place.database),
  )
}

/** Whether nothing is left of a statement but comments. */
export const isEmpty = (text: string): boolean =>
  text
    .replace(/--.*/g, '')
    .replace(/\/\*.*?\*\//gs, '')
    .trim() === ''
