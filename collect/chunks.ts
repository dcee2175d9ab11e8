import { termNames } from '../contract/listing-terms.ts'
import { specNames } from '../contract/spec-names.ts'
import { gpusOf, numberOf, type Observation, Rejected, textOf } from '../import/observation.ts'
import type { Fields } from '../import/record.ts'
import { wholeMachine } from './whole-machine.ts'

// A marketplace sends 70 fields of an offer. These are needed.
const needed = [
  'id',
  'machine_id',
  'host_id',
  'gpu_name',
  'num_gpus',
  'gpu_frac',
  'gpu_ids',
  'rentable',
  'rented',
  'dph_base',
  'dph_total',
  'total_flops',
  'dlperf',
  'gpu_ram',
  'geolocation',
  'hosting_type',
  'verified',
  'verification',
  ...termNames,
  'reliability2',
  ...specNames,
]

export const neededFields = (offer: Fields): Fields =>
  Object.fromEntries(needed.map((field) => [field, cut(offer[field])]))

/** Offers are kept in memory, and no field that is used is longer. */
const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 1000) : value)

interface Chunk {
  id: number
  size: number
  part: number
  isFree: boolean
  gpus: readonly unknown[]
  offer: Fields
}

export const noWholeOffer = 'no offer has all GPUs of the machine'

/**
 * The machine of these offers. The offer with all of its GPUs states what the machine is and costs. Chunks that cannot be read are left out, and without the
 * offer of all GPUs there is no machine. Throws Rejected.
 */
export function machineOf(
  offers: readonly Fields[],
  slot: number,
  leaveOut: (place: string, reason: string) => void,
): Observation[] {
  const chunks: Chunk[] = []
  const odd: [place: string, reason: string][] = []
  for (const offer of offers) {
    try {
      chunks.push(chunkOf(offer))
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      odd.push([`offer ${JSON.stringify(offer.id)}`, error.message])
    }
  }
  chunks.sort((a, b) => a.size - b.size || a.id - b.id)
  const whole = chunks.find(({ part }) => part === 1)
  if (!whole) throw new Rejected(odd.at(-1)?.[1] ?? noWholeOffer)
  for (const [place, reason] of odd) leaveOut(place, reason)
  const free = freeGpus(chunks)
  if (free > whole.size) throw new Rejected('the chunks have more GPUs than the machine')
  return wholeMachine(whole.offer, {
    slot,
    rented: whole.size - free,
    min_gpus: smallest(chunks),
    leaveOut: (reason) => leaveOut(`machine ${JSON.stringify(whole.offer.machine_id)}`, reason),
  })
}

/** Counts the free GPUs. A chunk that is free has free GPUs. A chunk that is not free has a taken GPU: without a smaller chunk that shows which one, all count as taken. */
const freeGpus = (chunks: readonly Chunk[]): number =>
  new Set(chunks.filter(({ isFree }) => isFree).flatMap(({ gpus }) => gpus)).size

/** The smallest part that can be rented. The smallest of three chunks or more may be a remainder, then it is the second size. */
function smallest(chunks: readonly Chunk[]): number {
  const [first = 1, second = first] = chunks.map(({ size }) => size)
  return chunks.length >= 3 ? second : first
}

function chunkOf(fields: Fields): Chunk {
  const id = numberOf(fields.id, 'id')
  if (id === 0) throw new Rejected('id is 0')
  const { rentable, rented, gpu_ids } = fields
  if (typeof rentable !== 'boolean') throw new Rejected('rentable is neither true nor false')
  if (!Array.isArray(gpu_ids) || gpu_ids.length === 0) throw new Rejected('gpu_ids is not a list of GPUs')
  textOf(fields.host_id, 'host_id')
  return {
    id,
    size: gpusOf(fields.num_gpus, 'num_gpus'),
    part: numberOf(fields.gpu_frac, 'gpu_frac'),
    isFree: rentable && rented !== true,
    gpus: gpu_ids,
    offer: fields,
  }
}
