import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a database in an engine's data directory. */
interface DatabaseFiles {
  uuid: string
  /** The engine's definition file of each table and view, by name. */
  definitions: Record<string, string>
}

/** The files of a site's tables, which another engine needs to read them. */
export interface SeriesFiles {
  /** By name: the database of the site, and the databases of its further sources. */
  databases: Record<string, DatabaseFiles>
  /** The directory of each table, with the names of its parts. */
  parts: Map<string, readonly string[]>
}

const folderOf = (dataDir: string, uuid: string) => join(dataDir, 'store', uuid.slice(0, 3), uuid)
const uuidIn = (text: string) => /^ATTACH \w+ _ UUID '([0-9a-f-]{36})'/.exec(text)?.[1]

/**
 * The files that an engine now has of a database, and of databases with this name plus `_` and a suffix; undefined when there is
 * no such database.
 */
export function findSeriesFiles(dataDir: string, database: string): SeriesFiles | undefined {
  const own = databaseFiles(dataDir, database)
  if (!own) return undefined
  const databases: SeriesFiles['databases'] = { [database]: own }
  for (const file of readdirSync(join(dataDir, 'metadata')).sort()) {
    const name = file.replace(/\.sql$/, '')
    const other = name !== file && name.startsWith(`${database}_`) ? databaseFiles(dataDir, name) : undefined
    if (other) databases[name] = other
  }
  const tables = Object.values(databases)
    .flatMap(({ definitions }) => Object.values(definitions))
    .filter((text) => text.startsWith('ATTACH TABLE'))
    .map((text) => folderOf(dataDir, uuidIn(text) ?? ''))
  return { databases, parts: new Map(tables.map((table) => [table, partsIn(table)])) }
}

function databaseFiles(dataDir: string, database: string): DatabaseFiles | undefined {
  const file = join(dataDir, 'metadata', `${database}.sql`)
  const uuid = existsSync(file) ? uuidIn(readFileSync(file, 'utf8')) : undefined
  if (!uuid) return undefined
  const folder = folderOf(dataDir, uuid)
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const definitions = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  return { uuid, definitions }
}

const partsIn = (table: string) =>
  existsSync(table) ? readdirSync(table).filter((name) => part.test(name)) : []

/** Copies the definitions of databases into the data directory of an engine that has not started yet. */
export function copyDefinitions({ databases }: SeriesFiles, dataDir: string): void {
  mkdirSync(join(dataDir, 'metadata'), { recursive: true, mode: 0o700 })
  for (const [database, { uuid, definitions }] of Object.entries(databases)) {
    const folder = folderOf(dataDir, uuid)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(
      join(dataDir, 'metadata', `${database}.sql`),
      `ATTACH DATABASE _ UUID '${uuid}'\nENGINE = Atomic\n`,
    )
    for (const [name, text] of Object.entries(definitions)) {
      // The engine would open the log of deduplication for writing.
      const readOnly = text.replace(/(non_replicated_deduplication_window = )\d+/, '$10')
      writeFileSync(join(folder, name), readOnly)
    }
  }
}

// partition_smallest-block_largest-block_level_mutation
const part = /^(.+)_(\d+)_(\d+)_\d+(?:_\d+)?$/

/**
 * True if an engine that read `before` must restart to read `now`: a definition has changed, or data was dropped. It finds new
 * parts and merged parts by itself.
 */
export function hasChanged(before: SeriesFiles, now: SeriesFiles): boolean {
  if (JSON.stringify(before.databases) !== JSON.stringify(now.databases)) return true
  return [...before.parts].some(([table, parts]) => {
    const present = now.parts.get(table) ?? []
    const names = new Set(present)
    return parts.some((name) => !names.has(name) && !present.some((other) => covers(other, name)))
  })
}

function covers(other: string, name: string): boolean {
  const [, partition, from, to] = part.exec(name) ?? []
  const [, otherPartition, otherFrom, otherTo] = part.exec(other) ?? []
  return partition === otherPartition && Number(otherFrom) <= Number(from) && Number(otherTo) >= Number(to)
}
