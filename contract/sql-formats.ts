// Without zod: the page imports this, too.

/** Names of formats as clients know them, and ClickHouse's. */
export const formats = {
  JSON: 'JSON',
  JSONCompact: 'JSONCompact',
  JSONEachRow: 'JSONEachRow',
  CSV: 'CSVWithNames',
  TSV: 'TabSeparatedWithNames',
  Parquet: 'Parquet',
  Arrow: 'Arrow',
  Progress: 'JSONCompactEachRowWithProgress',
} as const
export type SqlFormat = keyof typeof formats

/** File name extensions of the formats. */
export const extensions: Record<SqlFormat, string> = {
  JSON: 'json',
  JSONCompact: 'json',
  JSONEachRow: 'ndjson',
  CSV: 'csv',
  TSV: 'tsv',
  Parquet: 'parquet',
  Arrow: 'arrow',
  Progress: 'ndjson',
}
