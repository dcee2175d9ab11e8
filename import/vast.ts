import { specsText } from '../contract/specs-text.ts'
import { termsText } from '../contract/terms-text.ts'
import {
  available,
  countryOf,
  type Format,
  gpuNameOf,
  gpusOf,
  isEmpty,
  machineIdOf,
  measureOf,
  NotOffered,
  numberOf,
  type Observation,
  pricePerGpu,
  Rejected,
  ramOf,
  textOf,
  tierOf,
} from './observation.ts'
import type { Fields } from './record.ts'
import { slotOf } from './times.ts'

/**
 * Scraped prices of machines. A machine appears several times in a slot, as offers of 1, 2 and 6 of the same GPUs. So only the
 * largest offer counts, as the machine. Unavailable machines are rejected, since the file gives neither their state nor their
 * rental price.
 */
export const vastMachinePrices: Format = {
  source: 'vast-machine-prices',
  readWith: { format: 'vast-machine-prices', source: 'vast-machine-prices' },
  columns: ['ts', 'machine_id', 'gpu_name', 'num_gpus', 'price_usd_hr', 'available'],
  overlapping: true,
  hasRentals: false,
  observe(fields) {
    if (!/^(1|true)$/i.test(textOf(fields.available, 'available')))
      throw new NotOffered('not available, and its rental price is unknown')
    const gpus = gpusOf(fields.num_gpus, 'num_gpus')
    return available({
      slot: slotOf(fields.ts, 'ts'),
      machine_id: machineIdOf(fields.machine_id, 'machine_id'),
      gpu_name: gpuNameOf(fields.gpu_name, 'gpu_name'),
      gpus,
      price: pricePerGpu(fields.price_usd_hr, 'price_usd_hr', gpus),
      country: countryOf(fields.country),
    })
  },
}

/**
 * Offers in the answer of a marketplace's search: a JSON document with `captured_at_utc` and `offers`.
 * - `gpu_frac` is the offered part of the rig: the rig has num_gpus / gpu_frac GPUs. Offers of one machine overlap, the largest
 *   counts.
 * - The price is `dph_base`, the price of the GPUs. `dph_total` adds the disk that the search requested, up to 8 %.
 * - The list `bid` is rejected: its prices are minimum bids for interruptible use, lower than listed prices.
 * - The smallest offer of a machine is the smallest part that can be rented (sql/clickhouse/fragments/judged_rows.sql).
 * - total_flops, dlperf and min_bid are sums over the offered GPUs. `deverified` is unverified.
 */
export const vastOffers: Format = {
  source: 'vast-offers',
  readWith: { format: 'vast-offers', source: 'vast-offers' },
  columns: ['captured_at_utc', 'machine_id', 'gpu_name', 'num_gpus', 'gpu_frac', 'dph_base'],
  overlapping: true,
  hasRentals: false,
  observe(fields, leaveOut) {
    if (fields.list === 'bid')
      throw new NotOffered('a minimum bid for interruptible use is not a listed price')
    if (fields.rented === true || fields.rentable === false)
      throw new NotOffered('not available, and its rental price is unknown')
    const gpus = gpusOf(fields.num_gpus, 'num_gpus')
    return {
      rented: false,
      slot: slotOf(fields.captured_at_utc, 'captured_at_utc'),
      machine_id: machineIdOf(fields.machine_id, 'machine_id'),
      gpu_name: gpuNameOf(fields.gpu_name, 'gpu_name'),
      num_gpus: rigOf(fields, gpus),
      gpus,
      verified: fields.verification === 'verified',
      hosting_type: hostingType(fields.hosting_type),
      price: pricePerGpu(fields.dph_base, 'dph_base', gpus),
      tflops: share(measureOf(fields.total_flops, 'total_flops'), gpus),
      dlperf: share(measureOf(fields.dlperf, 'dlperf'), gpus),
      host_id: isEmpty(fields.host_id) ? null : machineIdOf(fields.host_id, 'host_id'),
      country: countryOf(fields.geolocation),
      gpu_ram: ramOf(fields.gpu_ram, 'gpu_ram'),
      rental_type: fields.list === 'ondemand' ? 'on_demand' : 'unknown',
      min_gpus: null,
      terms: offerTerms(fields, gpus),
      specs: offerSpecs(fields, leaveOut),
      tier: tierOf(fields.verification, fields.verification === 'verified'),
    }
  },
}

/** The terms of an offer of `gpus` GPUs. Its minimum bid is for all of them. */
export const offerTerms = (offer: Fields, gpus: number): string =>
  termsText({ ...offer, reliability: offer.reliability2 ?? offer.reliability }, gpus)

/** The specs of an offer's machine. An offer of a part of a machine has the processor, memory and disk of that part, so the machine's are not known. */
export const offerSpecs = (offer: Fields, leaveOut?: (reason: string) => void): string =>
  specsText(
    isEmpty(offer.gpu_frac) || Number(offer.gpu_frac) === 1
      ? offer
      : { ...offer, cpu_cores_effective: null, cpu_ram: null, disk_space: null },
    leaveOut,
  )

function rigOf(fields: Fields, gpus: number): number {
  const part = isEmpty(fields.gpu_frac) ? 1 : numberOf(fields.gpu_frac, 'gpu_frac')
  if (part <= 0 || part > 1) throw new Rejected(`gpu_frac is not above 0 and at most 1: ${part}`)
  return gpusOf(Math.round(gpus / part), 'num_gpus / gpu_frac')
}

export const hostingType = (value: unknown): Observation['hosting_type'] =>
  isEmpty(value) || typeof value === 'object'
    ? 'unknown'
    : String(value) === '1'
      ? 'secure_cloud'
      : 'community'

export const share = (figure: number | null, gpus: number): number | null =>
  figure === null ? null : figure / gpus
