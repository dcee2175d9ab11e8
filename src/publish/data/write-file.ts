import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DataFormat, DataStatistic } from '../../../contract/data-formats.ts'
import { type CatalogState, isCurrent } from '../../../ingest/read-catalogs.ts'
import { type ClickHouse, openExport } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

export const secondsOfDay = 86_400

const statements: Record<DataStatistic, { query: string; step: number }> = {
  daily: { query: 'clickhouse/queries/data/history', step: secondsOfDay },
  flows: { query: 'clickhouse/queries/data/flows', step: 3600 },
  hourly: { query: 'clickhouse/queries/data/history', step: 3600 },
  index: { query: 'clickhouse/queries/data/index', step: secondsOfDay },
  list_prices: { query: 'clickhouse/queries/data/list_prices', step: secondsOfDay },
  prices: { query: 'clickhouse/queries/data/prices', step: 3600 },
  specs: { query: 'clickhouse/queries/data/specs', step: 3600 },
  terms: { query: 'clickhouse/queries/data/terms', step: 3600 },
}
const formatNames: Record<DataFormat, string> = { parquet: 'Parquet', 'csv.gz': 'CSVWithNames' }

/** Prefix of unfinished files. Readers never see them, and it marks the leftovers of a crash. */
export const temporary = '.tmp-'

export interface Written {
  sha256: string
  bytes: number
  rows: number
}

/** One file: a statistic of a day in a format. */
export interface DayFile {
  /** True: the site's own market, where prices of few rented GPUs are left out. */
  isOwn: boolean
  /** State of the catalogs of list prices. */
  catalogs: readonly CatalogState[]
  statistic: DataStatistic
  format: DataFormat
  /** Start of the day, unix seconds. */
  day: number
}

export const dateOf = (day: number): string => new Date(day * 1000).toISOString().slice(0, 10)

/** Writes one file of a day. It appears under its name when it is complete, and replaces an existing one. */
export async function writeDataFile(
  clickhouse: ClickHouse,
  { isOwn, catalogs, statistic, format, day }: DayFile,
  path: string,
): Promise<Written> {
  const { query, step } = statements[statistic]
  const to = day + secondsOfDay
  const read = catalogs.filter((state) => isCurrent(state, to)).map((one) => `${one.catalog} ${one.provider}`)
  const asked = { own: Number(isOwn), csv: Number(format === 'csv.gz'), from: day, to, step, read }
  const temporaryPath = join(dirname(path), `${temporary}${basename(path)}`)
  await mkdir(dirname(path), { recursive: true })
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const { stream, rows } = await openExport(clickhouse, loadSql(query), asked, formatNames[format])
    const compress = format === 'csv.gz' ? createGzip() : new PassThrough()
    compress.on('data', (chunk: Buffer) => {
      hash.update(chunk)
      bytes += chunk.length
    })
    await pipeline(stream, compress, createWriteStream(temporaryPath, { flush: true }))
    await rename(temporaryPath, path)
    return { sha256: hash.digest('hex'), bytes, rows }
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}
