import { UsageError } from '../platform/usage-error.ts'
import { awsSpot, offerColumns, offerOf, type SpotOffer } from './aws-spot.ts'
import { type FormatName, type FormatOptions, formatNames } from './format-names.ts'
import { mappedFormat } from './mapping.ts'
import { type Format, Rejected } from './observation.ts'
import { readRecords } from './records.ts'
import { rentalOffersDaily } from './rental-offers.ts'
import { vastMachinePrices, vastOffers } from './vast.ts'

const builtIn: Record<Exclude<FormatName, 'aws-spot'>, Format> = {
  'vast-machine-prices': vastMachinePrices,
  'vast-offers': vastOffers,
  'rental-offers-daily': rentalOffersDaily,
}

/** The format for the options. Throws UsageError. */
export async function formatOf({ format, offers, map, source }: FormatOptions): Promise<Format> {
  if (offers !== undefined && format !== 'aws-spot')
    throw new UsageError('--offers can only be used with --format aws-spot.')
  if (map !== undefined && format === undefined) return mappedFormat(map, source)
  if (map !== undefined || format === undefined)
    throw new UsageError(`Give either --format (${formatNames.join(', ')}) or --map.`)
  if (format !== 'aws-spot') return builtIn[format]
  if (offers === undefined) throw new UsageError('--format aws-spot needs --offers FILE.')
  return { ...awsSpot(await readOffers(offers)), readWith: { format, offers, source: 'aws-spot' } }
}

async function readOffers(file: string): Promise<ReadonlyMap<string, SpotOffer>> {
  const offers = new Map<string, SpotOffer>()
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
