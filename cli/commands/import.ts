import { awsSpot, type Offer, offerColumns, offerOf } from '../../import/aws-spot.ts'
import { builtIn } from '../../import/formats.ts'
import { type ImportReport, importFiles } from '../../import/import-files.ts'
import { MappingError, mappedFormat } from '../../import/mapping.ts'
import { type Format, Rejected } from '../../import/observation.ts'
import { FileError } from '../../import/record.ts'
import { readRecords } from '../../import/records.ts'
import { UsageError } from '../config.ts'
import { reportProgress } from '../progress.ts'
import type { Stores } from '../stores.ts'

export interface ImportOptions {
  format?: string
  offers?: string
  map?: string
  source: string
}

export const formatNames = ['aws-spot', ...builtIn.keys()]

/** The format that the options name. Throws UsageError. */
export async function formatOf({ format, offers, map, source }: ImportOptions): Promise<Format> {
  if ((format === undefined) === (map === undefined))
    throw new UsageError(`Give either --format (${formatNames.join(', ')}) or --map.`)
  if (offers !== undefined && format !== 'aws-spot')
    throw new UsageError('--offers goes with --format aws-spot only.')
  return usage(async () => {
    if (map !== undefined) return mappedFormat(map, source)
    if (format === 'aws-spot') {
      if (offers === undefined) throw new UsageError('--format aws-spot needs --offers FILE.')
      return awsSpot(await readOffers(offers))
    }
    const found = builtIn.get(format ?? '')
    if (!found) throw new UsageError(`--format is one of ${formatNames.join(', ')}.`)
    return found
  })
}

async function readOffers(file: string): Promise<ReadonlyMap<string, Offer>> {
  const offers = new Map<string, Offer>()
  for await (const batch of readRecords(file, offerColumns)) {
    for (const { line, fields, problem } of batch) {
      try {
        if (!fields) throw new Rejected(problem)
        offers.set(...offerOf(fields))
      } catch (error) {
        if (error instanceof Rejected) throw new UsageError(`${file}: line ${line}: ${error.message}`)
        throw error
      }
    }
  }
  return offers
}

/** `rackrate import`: brings files into the series and tells on stderr how far it is. Throws UsageError for unreadable files. */
export async function importInto(
  stores: Pick<Stores, 'postgres' | 'clickhouse'>,
  files: readonly string[],
  format: Format,
): Promise<ImportReport> {
  const options = {
    format,
    onRead: reportProgress('reading'),
    onNew: (rows: number) =>
      rows > 0 && console.error(`${rows.toLocaleString('en')} new rows, deriving the series from them`),
  }
  return usage(() => importFiles(stores, files, options))
}

async function usage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FileError || error instanceof MappingError) throw new UsageError(error.message)
    throw error
  }
}
