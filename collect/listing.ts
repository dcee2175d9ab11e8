import { codeOf } from '../contract/failure.ts'
import { termNames } from '../contract/listing-terms.ts'
import { specNames } from '../contract/spec-names.ts'
import { mappedFormat } from '../import/mapping.ts'
import { type Format, Rejected } from '../import/observation.ts'
import { FileError, type FileRecord } from '../import/record.ts'
import { recordsIn } from '../import/records.ts'
import { UsageError } from '../platform/usage-error.ts'
import { type CollectedMarket, openMarket } from './market.ts'
import { SourceError } from './source-error.ts'

/** Field names of a list without a mapping. The first three are required. */
const needed = ['machine_id', 'gpu_name', 'price']
const own = [
  ...needed,
  'num_gpus',
  'gpus',
  'rented',
  'verified',
  'hosting_type',
  'rental_type',
  'min_gpus',
  'tflops',
  'dlperf',
  'host_id',
  'country',
  'gpu_ram',
  ...termNames,
  ...specNames,
]

/** The format of a list for a slot. Without a mapping its fields have the names above. Throws UsageError. */
export function listFormat(map: string | undefined): (slot: number) => Format {
  const format = (slot: number) => {
    const given = map ?? own.map((name) => `${name}=${name}`).join()
    const mapped = mappedFormat(`${given},slot=:${slot}`, 'list')
    return map === undefined ? { ...mapped, columns: needed } : mapped
  }
  if (/(^|,)\s*slot\s*=/.test(map ?? ''))
    throw new UsageError(
      '--map of a source must not give slot: a source is always read for the current slot.',
    )
  format(1)
  return format
}

/** Reads the market from a list: CSV, JSON Lines or a JSON document, gzipped or not. Throws SourceError. */
export async function readListing(bytes: AsyncIterable<Buffer>, format: Format): Promise<CollectedMarket> {
  const market = openMarket({ hasOffers: true })
  let last: FileRecord | undefined
  try {
    for await (const batch of recordsIn(bytes, format.columns)) {
      for (const record of batch) {
        last = record
        const place = `line ${record.line}`
        market.add(place, () => {
          if (!record.fields) throw new Rejected(record.problem)
          return [format.observe(record.fields, (reason) => market.leaveOut(place, reason))]
        })
      }
    }
  } catch (error) {
    if (error instanceof FileError) throw new SourceError(`The list cannot be read: ${error.message}`)
    // The code of an aborted request is a number.
    if (`${codeOf(error)}`.startsWith('Z_'))
      throw new SourceError('The gzip data of the list is damaged or cut off.')
    throw error
  }
  if (last && !last.fields) throw new SourceError(`The list was cut off: its end is ${last.problem}.`)
  return market.close()
}
