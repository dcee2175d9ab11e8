import {
  countryOf,
  gpuNameOf,
  gpusOf,
  machineIdOf,
  measureOf,
  type Observation,
  pricePerGpu,
  ramOf,
  tierOf,
} from '../import/observation.ts'
import type { Fields } from '../import/record.ts'
import { hostingType, offerSpecs, offerTerms, share } from '../import/vast.ts'

/** The rented part of a machine. */
export interface Occupancy {
  slot: number
  rented: number
  min_gpus: number | null
  /** Receives why a part of the offer is not known. */
  leaveOut(reason: string): void
}

/**
 * The observations of a machine: its free and its rented GPUs. `offer` is the offer of the whole machine. Both states have its
 * price: the price that renters pay is not visible. The field `dph_base` is without storage. Performance and the minimum bid are
 * per GPU. Throws Rejected.
 */
export function wholeMachine(offer: Fields, { slot, rented, min_gpus, leaveOut }: Occupancy): Observation[] {
  const num_gpus = gpusOf(offer.num_gpus, 'num_gpus')
  const verified = offer.verified === true || offer.verification === 'verified'
  const machine = {
    slot,
    machine_id: machineIdOf(offer.machine_id, 'machine_id'),
    gpu_name: gpuNameOf(offer.gpu_name, 'gpu_name'),
    num_gpus,
    verified,
    hosting_type: hostingType(offer.hosting_type),
    price: pricePerGpu(offer.dph_base, 'dph_base', num_gpus),
    tflops: share(measureOf(offer.total_flops, 'total_flops'), num_gpus),
    dlperf: share(measureOf(offer.dlperf, 'dlperf'), num_gpus),
    host_id: machineIdOf(offer.host_id, 'host_id'),
    country: countryOf(offer.geolocation),
    gpu_ram: ramOf(offer.gpu_ram, 'gpu_ram'),
    min_gpus,
    terms: offerTerms(offer, num_gpus),
    specs: offerSpecs(offer, leaveOut),
    tier: tierOf(offer.verification, verified),
  }
  const free: Observation = { ...machine, gpus: num_gpus - rented, rented: false, rental_type: 'on_demand' }
  const taken: Observation = { ...machine, gpus: rented, rented: true, rental_type: 'unknown' }
  return [free, taken].filter(({ gpus }) => gpus > 0)
}
