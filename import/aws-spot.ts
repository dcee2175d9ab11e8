import {
  available,
  type Format,
  gpuNameOf,
  gpusOf,
  machineIdOf,
  pricePerGpu,
  Rejected,
  textOf,
} from './observation.ts'
import type { Fields } from './record.ts'
import { slotOf } from './times.ts'

/** An offer of the history: an instance type in a zone, which never changes. */
export interface SpotOffer {
  machine_id: number
  gpu_name: string
  num_gpus: number
}

export const offerColumns = ['offer_id', 'gpu_name', 'num_gpus']

/** A row of the offers file. Throws Rejected. */
export const offerOf = (fields: Fields): [id: string, offer: SpotOffer] => [
  textOf(fields.offer_id, 'offer_id'),
  {
    machine_id: machineIdOf(fields.offer_id, 'offer_id'),
    gpu_name: gpuNameOf(fields.gpu_name, 'gpu_name'),
    num_gpus: gpusOf(fields.num_gpus, 'num_gpus'),
  },
]

/**
 * The history of AWS spot prices, which are prices of whole instances. An offer counts as one available machine with all of its
 * GPUs. The file has no data about rented machines, verification or hosting, so these stay unknown.
 */
export const awsSpot = (offers: ReadonlyMap<string, SpotOffer>): Format => ({
  source: 'aws-spot',
  readWith: { format: 'aws-spot', source: 'aws-spot' },
  columns: ['ts', 'offer_id', 'spot_usd_hr'],
  overlapping: false,
  hasRentals: false,
  observe(fields) {
    const id = textOf(fields.offer_id, 'offer_id')
    const offer = offers.get(id)
    if (!offer) throw new Rejected(`the offers file has no offer_id ${id.slice(0, 40)}`)
    return available({
      slot: slotOf(fields.ts, 'ts'),
      machine_id: offer.machine_id,
      gpu_name: offer.gpu_name,
      gpus: offer.num_gpus,
      price: pricePerGpu(fields.spot_usd_hr, 'spot_usd_hr', offer.num_gpus),
      rental_type: 'interruptible',
    })
  },
})
