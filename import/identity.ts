import { createHash } from 'node:crypto'
import { earlierRows, type ImportedRows, importIdText, rowsOfImports } from '../ingest/import-work.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { FormatOptions } from './format-names.ts'
import type { LeftOutRow } from './odd-rows.ts'

/** A file that was imported. */
export interface ImportRecord {
  id: number
  source: string
  file: string
  content_hash: string
  format: FormatOptions
  /** Unix seconds. */
  imported_at: number
  read: number
  left_out: number
  /** The first ten of these rows. */
  left_out_rows: LeftOutRow[]
  /** Rows that it brought in. Null: they are still being moved. */
  rows: number | null
  from_slot: number | null
  to_slot: number | null
}

/** An import in a list: without a file where an earlier release imported it, or a restored PostgreSQL does not know it. */
export interface ListedImport {
  id: string
  source: string
  file: string | null
  content_hash: string | null
  format: string | null
  imported_at: number | null
  read: number | null
  left_out: number | null
  left_out_rows: LeftOutRow[]
  rows: number | null
  from_slot: number | null
  to_slot: number | null
}

/** The rows of an import in the series. */
export interface KnownImport {
  id: number
  source: string
  record: ImportRecord | undefined
}

/** The id of a file that is read with a format: equal files have the same id. 48 bits, so that it is exact in a double. */
export const importId = (contentHash: string, { source, format, map }: FormatOptions): number =>
  Number.parseInt(
    createHash('sha256')
      .update([contentHash, source, format ?? '', map ?? ''].join('\n'))
      .digest('hex')
      .slice(0, 12),
    16,
  ) || 1

export const formatText = ({ format, map }: FormatOptions): string => format ?? `map ${map}`

export const importRecords = async ({ postgres }: Pick<Stores, 'postgres'>): Promise<ImportRecord[]> =>
  (await postgres.query<ImportRecord>('imports/list')).rows

/** All imports whose rows the series has, or is to have, the oldest first. */
export async function listImports(stores: Stores): Promise<ListedImport[]> {
  const records = await importRecords(stores)
  const isKnown = new Set(records.map(({ id }) => id))
  const others = (await rowsOfImports(stores.clickhouse, {})).filter(
    ({ import_id }) => !isKnown.has(import_id),
  )
  return [...others.map(unrecorded), ...records.map(listed)]
}

const listed = (record: ImportRecord): ListedImport => ({
  ...record,
  id: importIdText(record.id, record.source),
  format: formatText(record.format),
})

const unrecorded = ({ source, import_id, observations, from_slot, to_slot }: ImportedRows): ListedImport => ({
  id: importIdText(import_id, source),
  source,
  file: null,
  content_hash: null,
  format: null,
  imported_at: null,
  read: null,
  left_out: null,
  left_out_rows: [],
  rows: observations,
  from_slot,
  to_slot,
})

/** The import of an id as people write it. Throws UsageError. */
export async function findImport(stores: Stores, text: string): Promise<KnownImport> {
  const unknown = new UsageError(`There is no import ${text.slice(0, 100)}. \`rackrate imports\` lists them.`)
  if (text.startsWith(earlierRows)) {
    const source = text.slice(earlierRows.length)
    const rows = await rowsOfImports(stores.clickhouse, { source, imports: [0] })
    if (source === '' || rows.length === 0) throw unknown
    return { id: 0, source, record: undefined }
  }
  if (!/^[0-9a-f]{12}$/.test(text)) throw unknown
  const id = Number.parseInt(text, 16)
  const record = (await importRecords(stores)).find((one) => one.id === id)
  if (record) return { id, source: record.source, record }
  const [rows] = await rowsOfImports(stores.clickhouse, { imports: [id] })
  if (!rows) throw unknown
  return { id, source: rows.source, record: undefined }
}
