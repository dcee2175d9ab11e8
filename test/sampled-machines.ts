import { pick, type Random } from '../simulate/random.ts'
import type { OfficialParts } from './official-server.ts'

/** An offer of the marketplace: a chunk of a machine, with the field names of a real one. */
export interface SampledOffer {
  [field: string]: unknown
  id: number
  machine_id: number
  gpu_name: string
  num_gpus: number
  gpu_frac: number
  gpu_ids: number[]
  rentable: boolean
  verification: string
  dph_base: number
  dph_total: number
}

/** A machine with a known state. */
export interface Machine {
  id: number
  host: number
  gpu: string
  memory: number
  gpus: number
  /** One of `gpus` halves, quarters, …; 1: the machine is offered as a whole only. */
  parts: number
  tier: string
  price: number
  /** By part: true if it is rented. */
  rented: boolean[]
  isListed: boolean
}

const names = 90
const memories: Record<string, readonly number[]> = { 'GPU 1': [24_564, 49_140], 'GPU 4': [40_960, 81_920] }

/** Half of the machines have the ten most frequent names, as on the real market. */
export function newMachine(id: number, random: Random): Machine {
  const name = `GPU ${1 + Math.floor(names * random() ** 3)}`
  const gpus = pick(random, [1, 1, 1, 2, 4, 8])
  const parts = gpus > 1 && random() < 0.4 ? gpus : 1
  const tier = random()
  return {
    id,
    host: 1 + Math.floor(id / 3),
    gpu: name,
    memory: pick(random, memories[name] ?? [24_564]),
    gpus,
    parts,
    tier: tier < 0.52 ? 'verified' : tier < 0.8 ? 'deverified' : 'unverified',
    // A third of the hosts ask the same round price.
    price: random() < 0.3 ? 0.4 : Math.round((0.1 + random() * 2) * 1000) / 1000,
    rented: Array.from({ length: parts }, () => random() < 0.45),
    isListed: true,
  }
}

export const rentedGpus = ({ rented, gpus, parts }: Machine) => rented.filter(Boolean).length * (gpus / parts)

export function offersOf(machine: Machine): SampledOffer[] {
  const { id, gpus, parts, rented } = machine
  const ids = Array.from({ length: gpus }, (_, index) => id * 100 + index)
  const offer = (index: number, gpuIds: number[], rentable: boolean): SampledOffer => ({
    id: id * 100 + index,
    machine_id: id,
    host_id: machine.host,
    gpu_name: machine.gpu,
    num_gpus: gpuIds.length,
    gpu_frac: gpuIds.length / gpus,
    gpu_ids: gpuIds,
    gpu_ram: machine.memory,
    dph_base: machine.price * gpuIds.length,
    dph_total: machine.price * gpuIds.length + 0.002,
    min_bid: (machine.price * gpuIds.length) / 2,
    dlperf: 100 * gpuIds.length,
    total_flops: 80 * gpuIds.length,
    reliability2: 0.99,
    geolocation: 'California, US',
    hosting_type: 0,
    verification: machine.tier,
    external: false,
    score: 1,
    rentable,
    rented: false,
  })
  const whole = offer(1, ids, !rented.includes(true))
  if (parts === 1) return [whole]
  const size = gpus / parts
  return [
    whole,
    ...rented.map((isRented, part) => offer(2 + part, ids.slice(part * size, (part + 1) * size), !isRented)),
  ]
}

/** The machines of GPU names as official aggregates count them. Deverified machines are not verified. A machine with a free GPU is available. */
export function partsOf(machines: readonly Machine[]): Record<string, OfficialParts> {
  const byName: Record<string, OfficialParts> = {}
  for (const machine of machines) {
    byName[machine.gpu] ??= { ...noParts }
    const parts = byName[machine.gpu]
    if (!parts) continue
    const tier = machine.tier === 'verified' ? 'verified' : 'unverified'
    const busy = rentedGpus(machine)
    parts[`${busy === machine.gpus ? 'rented' : 'avail'}_${tier}`] += 1
    parts[`rented_${tier}_gpus`] += busy
    parts[`avail_${tier}_gpus`] += machine.gpus - busy
  }
  return byName
}

const noParts: OfficialParts = {
  rented_verified: 0,
  avail_verified: 0,
  rented_unverified: 0,
  avail_unverified: 0,
  rented_verified_gpus: 0,
  avail_verified_gpus: 0,
  rented_unverified_gpus: 0,
  avail_unverified_gpus: 0,
}
