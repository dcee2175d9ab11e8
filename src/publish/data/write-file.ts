import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DataFormat, DataStatistic } from '../../../contract/data-formats.ts'
import { type CatalogState, catalogStates, isCurrent } from '../../../ingest/read-catalogs.ts'
import { type ClickHouse, openExport, selectRows } from '../../../platform/stores/clickhouse.ts'
import { isOwnMarket } from '../../../platform/stores/own-market.ts'
import type { Session } from '../../../platform/stores/postgres.ts'
import { rentalsKnown } from '../../../platform/stores/rentals-known.ts'
import { one } from '../../../platform/stores/rows.ts'
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

/** The properties of a market that decide what its files leave out. */
interface DataMarket {
  /** True: the site's own market, where prices of few rented GPUs are left out. */
  isOwn: boolean
  /** False: no source reports which GPUs are rented, so figures of rentals are left out. */
  hasRentals: boolean
  /** State of the catalogs of list prices. */
  catalogs: readonly CatalogState[]
}

/** One file: a statistic of a day in a format. */
export interface DayFile extends DataMarket {
  statistic: DataStatistic
  format: DataFormat
  /** Start of the day, unix seconds. */
  day: number
}

export const dateOf = (day: number): string => new Date(day * 1000).toISOString().slice(0, 10)

export async function readDataMarket({
  postgres,
  clickhouse,
}: {
  postgres: Session
  clickhouse: ClickHouse
}): Promise<DataMarket> {
  const { sources } = one(await selectRows<{ sources: string[] }>(clickhouse, 'series/state'))
  return {
    isOwn: await isOwnMarket(postgres),
    hasRentals: await rentalsKnown(postgres, sources),
    catalogs: await catalogStates(postgres),
  }
}

/** Writes one file of a day. It appears under its name when it is complete, and replaces an existing one. */
export async function writeDataFile(
  clickhouse: ClickHouse,
  { isOwn, hasRentals, catalogs, statistic, format, day }: DayFile,
  path: string,
): Promise<Written> {
  const { query, step } = statements[statistic]
  const to = day + secondsOfDay
  const read = catalogs.filter((state) => isCurrent(state, to)).map((one) => `${one.catalog} ${one.provider}`)
  const asked = {
    own: Number(isOwn),
    has_rentals: Number(hasRentals),
    csv: Number(format === 'csv.gz'),
    from: day,
    to,
    step,
    read,
  }
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
