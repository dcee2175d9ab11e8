import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Random, seeded } from '../simulate/random.ts'
import { hostMachine, openHostAccounts } from './host-accounts.ts'
import { answerOfficial, type OfficialState, officialDefaults } from './official-server.ts'
import {
  type Machine,
  newMachine,
  offersOf,
  partsOf,
  rentedGpus,
  type SampledOffer,
} from './sampled-machines.ts'
import { addTrueFlows, type TrueFlows } from './true-flows.ts'

export interface SampledMarketOptions {
  offers?: number
  seed?: number
  /** `all`: an answer holds every offer. `samples`: a longer answer is a random sample. */
  mode?: 'samples' | 'all'
  /** Searches that the marketplace answers in a minute of its clock. */
  searchesPerMinute?: number
}

/** The probability that a part of a machine changes its state until the next slot. */
const changeChance = 0.004
const leavingChance = 0.0001
const slotHours = 1 / 12
/** A sample has 52 to 58 different offers, and up to three of them twice. */
const sampleSize = (random: Random) => 52 + Math.floor(random() * 7)

/**
 * A marketplace as the real one is: its search answers a changing sample of what was asked for, its prices are what renters pay, its hosts have accounts, and
 * it has official aggregates. Its market and rates are known. Only verified and rentable offers are shown unless a question mentions these fields.
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

  const flows = new Map<string, TrueFlows>()
  const shown = () => machines.filter(({ isListed }) => isListed)
  const official: OfficialState = officialDefaults({})
  const accounts = openHostAccounts({
    onPrice(id, price) {
      current = undefined
      for (const machine of machines) if (machine.id === id) machine.price = price / market.share
    },
  })

  const market = {
    url: '',
    mode,
    /** The share of what renters pay that hosts get. */
    share: 0.75,
    accounts,
    official,
    /** The true rates until now, by GPU name. */
    flows,
    /** Makes an account of a host, with its machines. */
    addHost(host: number, key: string): number[] {
      const own = machines.filter((machine) => machine.host === host)
      accounts.add(
        key,
        own.map(({ id, gpus, gpu }) => hostMachine(id, { host_id: host, num_gpus: gpus, gpu_name: gpu })),
      )
      return own.map(({ id }) => id)
    },
    /** The clock of the marketplace, unix seconds. */
    time: 1_795_000_200,
    /** Every search that was answered, and every one that was refused. */
    searches: 0,
    refused: 0,
    /** Answers a search in place of the marketplace. */
    fault: undefined as ((response: ServerResponse, query: Query) => boolean) | undefined,
    offers: () => shown().flatMap(offersOf),
    /** The machines that are listed, and their rented GPUs. */
    truth: () =>
      new Map(shown().map((machine) => [machine.id, { gpus: machine.gpus, rented: rentedGpus(machine) }])),
    names: () => [...new Set(machines.map(({ gpu }) => gpu))],
    /** Changes between two slots: rentals, returns, new prices, and machines that leave or are new. */
    step() {
      current = undefined
      for (const machine of machines) {
        const flow = machine.isListed && addTrueFlows(flows, machine, changeChance, slotHours)
        if (flow && random() < changeChance) {
          const part = Math.floor(random() * machine.parts)
          flow[machine.rented[part] ? 'returned' : 'rented'].happened += machine.gpus / machine.parts
          machine.rented[part] = !machine.rented[part]
        }
        if (random() < 0.001) machine.price *= 0.9 + random() * 0.2
        // Rented GPUs that leave with their machine count as returned.
        if (flow) flow.returned.expected += rentedGpus(machine) * leavingChance
        if (flow && random() < leavingChance) {
          flow.returned.happened += rentedGpus(machine)
          machine.isListed = false
        }
      }
      if (random() < machines.length * 0.0001) addMachine()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }

  /** The listing of a machine, as the key of its host shows it. A pending or refused increase does not change running rentals. */
  const listingOf = (id: number) => {
    const [machine] = machines.slice(id - 1, id)
    if (!machine) return {}
    const busy = rentedGpus(machine)
    return {
      listed: machine.isListed,
      listed_gpu_cost: Number((machine.price * market.share).toFixed(6)),
      gpu_occupancy: occupancyOf(machine),
      current_rentals_running: machine.rented.filter(Boolean).length,
      client_end_date: busy > 0 ? market.time + 86_400 : null,
    }
  }
  let current: SampledOffer[] | undefined
  let times: number[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const send = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/api/v0/gpu_names/unique/')
      return void send({ success: true, gpu_names: market.names() })
    if (accounts.has(pathname)) {
      for (const { machines: own } of accounts.list)
        for (const one of own) Object.assign(one, listingOf(one.id))
      return void accounts.answer(request, response)
    }
    if (pathname.startsWith('/api/v0/metrics/')) {
      Object.assign(official, { now: market.time, market: partsOf(shown()) })
      return void answerOfficial(official, request, response)
    }
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

/** Both forms of the real marketplace: a free GPU is an x or a dash. */
const occupancyOf = (machine: Machine): string =>
  Array.from({ length: machine.gpus }, (_, gpu) =>
    gpu < rentedGpus(machine) ? 'D' : machine.id % 2 === 0 ? 'x' : '-',
  ).join(' ')

export type SampledMarket = Awaited<ReturnType<typeof openSampledMarket>>

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
