import { termNames } from '../contract/term-names.ts'
import { gpusOf, numberOf, type Observation, Rejected, textOf } from '../import/observation.ts'
import type { Fields } from '../import/record.ts'
import { readList } from './json-list.ts'
import { openMarket } from './market.ts'
import { placeOf } from './place.ts'
import { get } from './request.ts'
import type { Source } from './source.ts'
import { SourceError } from './source-error.ts'
import { wholeMachine } from './whole-machine.ts'

const mostOffers = 500_000

// The query for all on-demand offers: verified and unverified machines, free or not, with each chunk of a machine as its own
// offer.
const usualQuery = '{"external":{"eq":"false"},"type":"on-demand","disable_bundling":true}'

/** The search of a Vast-style marketplace. An offer is a chunk of a machine, and chunks overlap. */
export function offerSearch(text: string, userAgent: string): Source {
  const { url, name } = placeOf(text, '/api/v0/bundles/')
  if (url.search === '') url.searchParams.set('q', usualQuery)
  return {
    name: `vast=${name}`,
    async fetchMarket(request) {
      const answer = await get(url, userAgent, request)
      if (!answer) return { unchanged: true }
      const machines = new Map<string, Map<string, Fields>>()
      let offers = 0
      await readList(answer.bytes, (offer) => {
        offers += 1
        if (offers > mostOffers) throw new SourceError(`The source lists more than ${mostOffers} offers.`)
        remember(machines, offer)
      })
      const market = openMarket()
      for (const chunks of machines.values()) market.add(() => machineOf([...chunks.values()], request.slot))
      return { unchanged: false, market: market.close(), validators: answer.validators }
    },
  }
}

// The used fields. A marketplace sends 70 fields of an offer.
const needed = [
  'id',
  'score',
  'machine_id',
  'host_id',
  'gpu_name',
  'num_gpus',
  'gpu_frac',
  'gpu_ids',
  'rentable',
  'dph_base',
  'total_flops',
  'dlperf',
  'gpu_ram',
  'geolocation',
  'hosting_type',
  'verified',
  'verification',
  ...termNames,
  'reliability2',
]

/** Stores an offer with its machine. If two offers have the same id, the one with the higher score counts. */
function remember(machines: Map<string, Map<string, Fields>>, offer: Fields): void {
  const [machine, id] = [JSON.stringify(offer.machine_id), JSON.stringify(offer.id)]
  const chunks = machines.get(machine) ?? new Map<string, Fields>()
  const known = chunks.get(id)
  if (known && !(scoreOf(offer) > scoreOf(known))) return
  chunks.set(id, Object.fromEntries(needed.map((field) => [field, offer[field]])))
  machines.set(machine, chunks)
}

const scoreOf = ({ score }: Fields): number => (typeof score === 'number' ? score : 0)

interface Chunk {
  id: number
  size: number
  part: number
  isFree: boolean
  gpus: readonly unknown[]
  offer: Fields
}

/**
 * The machine of these offers. The offer with all GPUs gives the machine's properties and price. A GPU is free when a free chunk
 * contains it. Unreadable chunks are left out. Without an offer of all GPUs there is no machine. Throws Rejected.
 */
function machineOf(offers: readonly Fields[], slot: number): Observation[] {
  const chunks: Chunk[] = []
  let problem = 'no offer has all GPUs of the machine'
  for (const offer of offers) {
    try {
      chunks.push(chunkOf(offer))
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problem = error.message
    }
  }
  chunks.sort((a, b) => a.size - b.size || a.id - b.id)
  const whole = chunks.find(({ part }) => part === 1)
  if (!whole) throw new Rejected(problem)
  const free = new Set(chunks.flatMap(({ isFree, gpus }) => (isFree ? gpus : [])))
  if (free.size > whole.size) throw new Rejected('the chunks have more GPUs than the machine')
  return wholeMachine(whole.offer, { slot, rented: whole.size - free.size, min_gpus: smallest(chunks) })
}

/** The smallest part that can be rented. If there are three or more chunks, the smallest may be a remainder: then the second size counts. */
function smallest(chunks: readonly Chunk[]): number {
  const [first = 1, second = first] = chunks.map(({ size }) => size)
  return chunks.length >= 3 ? second : first
}

function chunkOf(offer: Fields): Chunk {
  const id = numberOf(offer.id, 'id')
  if (id === 0) throw new Rejected('id is 0')
  const { rentable, gpu_ids } = offer
  if (typeof rentable !== 'boolean') throw new Rejected('rentable is neither true nor false')
  if (!Array.isArray(gpu_ids) || gpu_ids.length === 0) throw new Rejected('gpu_ids is not a list of GPUs')
  textOf(offer.host_id, 'host_id')
  return {
    id,
    size: gpusOf(offer.num_gpus, 'num_gpus'),
    part: numberOf(offer.gpu_frac, 'gpu_frac'),
    isFree: rentable,
    gpus: gpu_ids,
    offer,
  }
}
