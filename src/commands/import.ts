import { awsSpot, builtIn, type Format, type Offers, offerOf } from '../../ingest/import/formats.ts'
import { MappingError, mappedFormat } from '../../ingest/import/mapping.ts'
import { Rejected } from '../../ingest/import/observation.ts'
import { FileError, readRecords } from '../../ingest/import/records.ts'
import { type ImportReport, importFiles } from '../../ingest/import/run.ts'
import { UsageError } from '../config.ts'
import type { Stores } from '../stores.ts'

export interface ImportOptions {
  format?: string
  offers?: string
  map?: string
  source: string
}

export const formatNames = ['aws-spot', ...Object.keys(builtIn)]

/** The format that the options name. Throws UsageError. */
export async function formatOf(options: ImportOptions): Promise<Format> {
  try {
    if (options.map !== undefined && options.format === undefined)
      return mappedFormat(options.map, options.source)
    if (options.map === undefined && options.format === 'aws-spot') {
      if (!options.offers) throw new UsageError('--format aws-spot needs --offers FILE')
      return awsSpot(await readOffers(options.offers))
    }
    const format = options.map === undefined && builtIn[options.format ?? '']
    if (format) return format
  } catch (error) {
    if (error instanceof MappingError || error instanceof FileError || error instanceof Rejected)
      throw new UsageError(error.message)
    throw error
  }
  throw new UsageError(`Give either --format (${formatNames.join(', ')}) or --map.`)
}

async function readOffers(file: string): Promise<Offers> {
  const offers = new Map<string, { gpu_name: string; num_gpus: number }>()
  for await (const { fields } of readRecords(file, ['offer_id', 'gpu_name', 'num_gpus'])) {
    if (fields) offers.set(...offerOf(fields))
  }
  return offers
}

/** `rackrate import`: reads files into the series, with a line of progress on stderr. Throws UsageError for unreadable files. */
export async function importInto(
  { postgres, clickhouse }: Stores,
  files: string[],
  format: Format,
): Promise<ImportReport> {
  const onRead = (rows: number) =>
    process.stderr.isTTY && process.stderr.write(`\r${rows.toLocaleString('en')} rows read`)
  try {
    return await importFiles(postgres, clickhouse, files, format, onRead)
  } catch (error) {
    if (error instanceof FileError) throw new UsageError(error.message)
    throw error
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\n')
  }
}
