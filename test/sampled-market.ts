import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pick, type Random, seeded } from '../simulate/random.ts'

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

interface Machine {
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

export interface SampledMarketOptions {
  offers?: number
  seed?: number
  /** `all`: an answer holds every offer. `samples`: a longer answer is a random sample. */
  mode?: 'samples' | 'all'
  /** Searches that the marketplace answers in a minute of its clock. */
  searchesPerMinute?: number
}

const names = 90
const memories: Record<string, readonly number[]> = { 'GPU 1': [24_564, 49_140], 'GPU 4': [40_960, 81_920] }
/** A sample has 52 to 58 different offers, and up to three of them twice. */
const sampleSize = (random: Random) => 52 + Math.floor(random() * 7)

/**
 * A marketplace whose search answers a changing sample of what was asked for, as the real one does, and whose market is known. Only verified and rentable
 * offers are shown unless a question mentions these fields.
 */
export async function openSampledMarket({
  offers = 12_000,
  seed = 1,
  mode = 'samples',
  searchesPerMinute = 10,
}: SampledMarketOptions = {}) {
  const random = seeded(seed)
  const machines: Machine[] = []
  let listed = 0
  const addMachine = () => {
    const machine = newMachine(machines.length + 1, random)
    machines.push(machine)
    listed += machine.parts === 1 ? 1 : 1 + machine.parts
  }
  while (listed < offers) addMachine()

  const market = {
    url: '',
    mode,
    /** The clock of the marketplace, unix seconds. */
    time: 1_795_000_200,
    /** Every search that was answered, and every one that was refused. */
    searches: 0,
    refused: 0,
    /** Answers a search in place of the marketplace. */
    fault: undefined as ((response: ServerResponse, query: Query) => boolean) | undefined,
    offers: () => machines.filter(({ isListed }) => isListed).flatMap(offersOf),
    /** The machines that are listed, and their rented GPUs. */
    truth: () =>
      new Map(
        machines
          .filter(({ isListed }) => isListed)
          .map((machine) => [machine.id, { gpus: machine.gpus, rented: rentedGpus(machine) }]),
      ),
    names: () => [...new Set(machines.map(({ gpu }) => gpu))],
    /** Changes between two slots: rentals, returns, new prices, and machines that leave or are new. */
    step() {
      current = undefined
      for (const machine of machines) {
        if (machine.isListed && random() < 0.004) {
          const part = Math.floor(random() * machine.parts)
          machine.rented[part] = !machine.rented[part]
        }
        if (random() < 0.001) machine.price *= 0.9 + random() * 0.2
        if (machine.isListed && random() < 0.0001) machine.isListed = false
      }
      if (random() < machines.length * 0.0001) addMachine()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }

  let current: SampledOffer[] | undefined
  let times: number[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const send = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/api/v0/gpu_names/unique/')
      return void send({ success: true, gpu_names: market.names() })
    times = times.filter((time) => time > market.time - 60)
    if (times.length >= searchesPerMinute) {
      market.refused += 1
      return void response.writeHead(429, { 'retry-after': '30' }).end('API requests too frequent')
    }
    times.push(market.time)
    market.searches += 1
    const query: Query = JSON.parse(searchParams.get('q') ?? '{}')
    if (market.fault?.(response, query)) return
    current ??= market.offers()
    send({ offers: answerOf(current, query, market.mode, random) })
  })
  // Connections stay open while a test computes.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  market.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return market
}

export type SampledMarket = Awaited<ReturnType<typeof openSampledMarket>>

/** Half of the machines have the ten most frequent names, as on the real market. */
function newMachine(id: number, random: Random): Machine {
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

const rentedGpus = ({ rented, gpus, parts }: Machine) => rented.filter(Boolean).length * (gpus / parts)

function offersOf(machine: Machine): SampledOffer[] {
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

type Query = Record<string, Record<string, unknown> | unknown>

function answerOf(offers: SampledOffer[], query: Query, mode: string, random: Random): SampledOffer[] {
  const filters = { verified: { eq: true }, rentable: { eq: true }, ...query }
  const conditions = Object.entries(filters).filter(([, condition]) => typeof condition === 'object')
  const found = offers.filter((offer) =>
    conditions.every(([field, condition]) =>
      Object.entries(condition ?? {}).every(([operator, value]) =>
        holds(fieldOf(offer, field), operator, value),
      ),
    ),
  )
  if (mode === 'all') return found
  const size = sampleSize(random)
  const sample = found.length > size ? drawn(found, size, random) : shuffled(found, random)
  const twice = sample.slice(0, Math.floor(random() * 4))
  return [...sample, ...twice]
}

const fieldOf = (offer: SampledOffer, field: string) =>
  field === 'verified' ? offer.verification === 'verified' : offer[field]

function holds(value: unknown, operator: string, wanted: unknown): boolean {
  const list = (Array.isArray(wanted) ? wanted : [wanted]).map(String)
  if (operator === 'eq' || operator === 'in') return list.includes(String(value))
  if (operator === 'neq' || operator === 'notin') return !list.includes(String(value))
  const [left, right] = [Number(value), Number(wanted)]
  if (operator === 'gt') return left > right
  if (operator === 'gte') return left >= right
  return operator === 'lt' ? left < right : left <= right
}

/** `size` different ones of them, in random order. */
function drawn<T>(items: readonly T[], size: number, random: Random): T[] {
  const places = new Set<number>()
  while (places.size < size) places.add(Math.floor(random() * items.length))
  return [...places].flatMap((place) => items.slice(place, place + 1))
}

const shuffled = <T>(items: readonly T[], random: Random): T[] => drawn(items, items.length, random)
