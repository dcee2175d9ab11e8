import { createHash } from 'node:crypto'
import {
  type Fields,
  nameOf,
  numberOf,
  type Observation,
  pricePerGpu,
  Rejected,
  textOf,
  timeOf,
} from './observation.ts'

/** How the records of one kind of file become observations. */
export interface Format {
  /** Marks the observations' origin in the series. */
  source: string
  /** Columns that must be there. */
  columns: readonly string[]
  /** Throws Rejected for a record that isn't an observation. */
  observe(fields: Fields): Observation
}

const unknown = {
  rented: false,
  verified: false,
  hosting_type: 'unknown',
  tflops: null,
  dlperf: null,
} as const

/** What the history of AWS offers refers to: `offer_id` → GPU name and number of GPUs. */
export type Offers = ReadonlyMap<string, { gpu_name: string; num_gpus: number }>

/** Spot prices of whole instances. An offer is an available machine; nothing is known of rented ones. */
export const awsSpot = (offers: Offers): Format => ({
  source: 'aws-spot',
  columns: ['ts', 'offer_id', 'spot_usd_hr'],
  observe(fields) {
    const id = textOf(fields, 'offer_id')
    const offer = offers.get(id)
    if (!offer) throw new Rejected(`no offer ${id.slice(0, 40)} in the offers file`)
    return {
      ...unknown,
      slot: timeOf(fields, 'ts'),
      machine_id: numberOf(fields, 'offer_id'),
      gpu_name: offer.gpu_name,
      num_gpus: offer.num_gpus,
      gpus: offer.num_gpus,
      price: pricePerGpu(fields, 'spot_usd_hr', offer.num_gpus),
    }
  },
})

export const offerOf = (fields: Fields): [string, { gpu_name: string; num_gpus: number }] => [
  textOf(fields, 'offer_id'),
  { gpu_name: nameOf(fields, 'gpu_name'), num_gpus: numberOf(fields, 'num_gpus') },
]

/**
 * Scraped machine prices. A machine shows as several offers of some of its GPUs at once; the largest stands for the machine, the
 * others are the same GPUs again and count as duplicates (import_new.sql).
 */
const vastMachinePrices: Format = {
  source: 'vast-machine-prices',
  columns: ['ts', 'machine_id', 'gpu_name', 'num_gpus', 'price_usd_hr', 'available'],
  observe(fields) {
    const gpus = numberOf(fields, 'num_gpus')
    return {
      ...unknown,
      rented: textOf(fields, 'available') !== '1',
      slot: timeOf(fields, 'ts'),
      machine_id: numberOf(fields, 'machine_id'),
      gpu_name: nameOf(fields, 'gpu_name'),
      num_gpus: gpus,
      gpus,
      price: pricePerGpu(fields, 'price_usd_hr', gpus),
    }
  },
}

/**
 * Raw offers of a marketplace's search: a JSON document with `captured_at_utc` and `offers`. `gpu_frac` tells which part of its rig an
 * offer is. The price is `dph_base`, the GPUs' own, without the disk that `dph_total` adds. Offers to bid on have no listed price.
 */
const vastOffers: Format = {
  source: 'vast-offers',
  columns: ['captured_at_utc', 'machine_id', 'gpu_name', 'num_gpus', 'gpu_frac', 'dph_base'],
  observe(fields) {
    if (fields.list === 'bid') throw new Rejected('an offer to bid on has no listed price')
    const gpus = numberOf(fields, 'num_gpus')
    return {
      slot: timeOf(fields, 'captured_at_utc'),
      machine_id: numberOf(fields, 'machine_id'),
      gpu_name: nameOf(fields, 'gpu_name'),
      num_gpus: Math.max(gpus, Math.round(gpus / numberOf(fields, 'gpu_frac'))),
      gpus,
      rented: fields.rented === true,
      verified: fields.verification === 'verified',
      hosting_type: fields.hosting_type === 1 ? 'secure_cloud' : 'community',
      price: pricePerGpu(fields, 'dph_base', gpus),
      tflops: fields.total_flops == null ? null : numberOf(fields, 'total_flops') / gpus,
      dlperf: fields.dlperf == null ? null : numberOf(fields, 'dlperf') / gpus,
    }
  },
}

/**
 * Daily list prices of rental companies. A row is an offer, not a machine, so it counts as one rig of `min_gpus` (else 1) GPUs whose
 * number is drawn from what the offer is, its price included: companies list variants that differ in nothing else. Serverless prices
 * aren't for machines.
 */
const rentalOffersDaily: Format = {
  source: 'rental-offers-daily',
  columns: ['ts', 'provider', 'gpu', 'kind', 'usd_gpu_hr'],
  observe(fields) {
    const kind = textOf(fields, 'kind')
    if (kind === 'serverless') throw new Rejected('serverless is not the rental of a machine')
    const gpus = fields.min_gpus ? numberOf(fields, 'min_gpus') : 1
    const identity = ['provider', 'gpu', 'vram_gb', 'min_gpus', 'kind', 'usd_gpu_hr'].map(
      (column) => fields[column] ?? '',
    )
    return {
      ...unknown,
      slot: timeOf(fields, 'ts'),
      machine_id: stableId(identity.join('\n')),
      gpu_name: readableName(textOf(fields, 'gpu')),
      num_gpus: gpus,
      gpus,
      hosting_type: kind === 'secure' ? 'secure_cloud' : kind === 'community' ? 'community' : 'unknown',
      price: pricePerGpu(fields, 'usd_gpu_hr', 1),
    }
  },
}

// 48 bits: far from 2^53, and two of some thousand offers meet once in ten million files.
export const stableId = (identity: string): number =>
  Number.parseInt(createHash('sha256').update(identity).digest('hex').slice(0, 12), 16)

/** `rtx-pro-6000` → `RTX PRO 6000`, `a100-sxm-80` → `A100 SXM 80`. */
const readableName = (slug: string): string =>
  slug.replaceAll(/[-_]+/g, ' ').toUpperCase().replace(/ TI\b/, ' Ti').trim()

export const builtIn: Readonly<Record<string, Format>> = {
  'vast-machine-prices': vastMachinePrices,
  'vast-offers': vastOffers,
  'rental-offers-daily': rentalOffersDaily,
}
