import { csvRecords } from '../import/csv.ts'
import { areTooOdd, type LeftOutRow, shownRows } from '../import/odd-rows.ts'
import { FileError } from '../import/record.ts'
import { type CatalogOffer, isPlausible } from '../ingest/list-prices.ts'
import { get } from './request.ts'
import type { HttpRequest, Validators } from './source.ts'
import { SourceError } from './source-error.ts'
import { memberOf } from './unzip.ts'

/** The bucket of the catalogs that dstack's gpuhunt publishes. */
export const gpuhuntFolder = 'https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com'

export const gpuhuntProviders = [
  'aws',
  'azure',
  'verda',
  'gcp',
  'lambdalabs',
  'nebius',
  'oci',
  'runpod',
  'cloudrift',
]

/** The URL of a provider's catalog, below the folder that holds v3/. */
export const catalogUrl = (folder: string, provider: string): URL =>
  new URL(`${folder.replace(/\/+$/, '')}/v3/${provider}/latest/catalog.zip`)

const columns = ['instance_name', 'location', 'price', 'gpu_count', 'gpu_name', 'gpu_memory', 'spot', 'flags']
const mostPacked = 32 * 1024 * 1024
const mostOffers = 200_000

export interface ReadCatalog {
  offers: CatalogOffer[]
  /** Number of rows without an offer, by reason. */
  leftOut: Record<string, number>
  /** The first of these rows. */
  leftOutRows: LeftOutRow[]
  validators: Validators
}

/**
 * Reads the catalog of a provider. Returns undefined if it has not changed. Throws SourceError; the whole catalog is then
 * discarded.
 */
export async function readGpuhunt(
  provider: string,
  { folder, userAgent }: { folder: string; userAgent: string },
  request: HttpRequest,
): Promise<ReadCatalog | undefined> {
  const answer = await get(catalogUrl(folder, provider), userAgent, request)
  if (!answer) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.bytes) {
    size += chunk.length
    if (size > mostPacked) throw new SourceError(`The zip is larger than ${mostPacked / 1024 / 1024} MB.`)
    chunks.push(chunk)
  }
  const read = await offersIn(Buffer.concat(chunks), `${provider}.csv`)
  return { ...read, validators: answer.validators }
}

/** The offers of a zip. A row that is odd is left out, and a file of which a larger share is odd is refused. Throws SourceError. */
async function offersIn(zip: Buffer, file: string): Promise<Omit<ReadCatalog, 'validators'>> {
  const offers: CatalogOffer[] = []
  const leftOut: ReadCatalog['leftOut'] = {}
  const leftOutRows: LeftOutRow[] = []
  let oddRows = 0
  try {
    for await (const batch of csvRecords(await memberOf(zip, file), columns))
      for (const { line, fields, problem } of batch) {
        const offer = fields ? offerOf(fields as Row) : { leftOut: problem ?? 'not readable', isOdd: true }
        if (offer === undefined) continue
        if ('leftOut' in offer) {
          leftOut[offer.leftOut] = (leftOut[offer.leftOut] ?? 0) + 1
          if (offer.isOdd) oddRows += 1
          if (offer.isOdd && oddRows <= shownRows) leftOutRows.push({ line, reason: offer.leftOut })
        } else offers.push(offer)
        if (offers.length + oddRows > mostOffers)
          throw new SourceError(`${file} has more than ${mostOffers} offers.`)
      }
  } catch (error) {
    if (error instanceof FileError) throw new SourceError(`${file} cannot be read: ${error.message}`)
    throw error
  }
  const rows = offers.length + oddRows
  const first = leftOutRows.map(({ line, reason }) => `line ${line}: ${reason}`).join('; ')
  if (areTooOdd(oddRows, rows))
    throw new SourceError(`${file}: ${oddRows} of ${rows} offers cannot be used: ${first}`)
  if (offers.length === 0) throw new SourceError(`${file} has no offer with a GPU.${first && ` ${first}`}`)
  return { offers, leftOut, leftOutRows }
}

type Row = Record<string, string | undefined>

const name = /^[^\p{C}]{1,128}$/u

interface LeftOut {
  leftOut: string
  isOdd: boolean
}

const odd = (leftOut: string): LeftOut => ({ leftOut, isOdd: true })

/** Returns undefined for an instance without GPUs. */
function offerOf(row: Row): CatalogOffer | LeftOut | undefined {
  if (row.gpu_count === '' || Number(row.gpu_count) === 0) return undefined
  const { instance_name = '', location: region = '', gpu_name: listed_name = '', flags = '', spot = '' } = row
  const gpus = Number(row.gpu_count)
  const usd = row.price === '' ? Number.NaN : Number(row.price)
  const memory = row.gpu_memory === '' ? undefined : Number(row.gpu_memory)
  if (!Number.isInteger(gpus) || gpus < 1 || gpus > 1024) return odd('not a number of whole GPUs')
  if (!name.test(instance_name)) return odd('no name of the instance')
  if (!name.test(region)) return odd('no location')
  if (!name.test(listed_name)) return odd('no name of the GPU')
  if (!/^(?:true|false)$/i.test(spot)) return odd('neither spot nor on demand')
  if (memory !== undefined && !(memory > 0 && memory < 10_000)) return odd('not a size of memory')
  // A preview is listed before it has a price.
  if (usd === 0 && /preview/.test(flags)) return { leftOut: 'a preview without a price', isOdd: false }
  if (!isPlausible({ usd, gpus })) return odd('not a price')
  return { instance_name, region, listed_name, memory, gpus, spot: spot.toLowerCase() === 'true', usd }
}
