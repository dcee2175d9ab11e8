import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { openHostAccounts } from './host-accounts.ts'

/** A machine of the stand-in's market. Its first `rented` GPUs are rented. */
export interface Rig {
  id: number
  host: number
  gpu: string
  gpus: number
  rented: number
  /** USD per GPU-hour */
  price: number
  verified: boolean
  datacenter: boolean
}

/** A small market that moves a little with each step: GPUs are rented and returned, and prices change. */
export const rigsAt = (count: number, step = 0): Rig[] =>
  Array.from({ length: count }, (_, index) => {
    const gpus = [1, 2, 4, 8][index % 4] ?? 1
    return {
      id: 1000 + index,
      host: 50 + (index % 7),
      gpu: ['RTX 4090', 'RTX 5090', 'H100 SXM'][index % 3] ?? '',
      gpus,
      rented: (index + step) % (gpus + 1),
      price: (20 + (index % 30) + ((step + index) % 12)) / 100,
      verified: index % 5 !== 0,
      datacenter: index % 4 === 3,
    }
  })

const gpuIds = ({ id, gpus }: Rig) => Array.from({ length: gpus }, (_, index) => id * 10 + index)

/** The chunks of a machine, as a search lists them: all of it, halves, quarters, … */
function chunksOf(rig: Rig) {
  const ids = gpuIds(rig)
  const chunks: { offer: number; ids: number[]; isFree: boolean }[] = []
  for (let size = rig.gpus; size >= 1; size /= 2)
    for (let first = 0; first < rig.gpus; first += size)
      chunks.push({
        offer: rig.id * 100 + chunks.length,
        ids: ids.slice(first, first + size),
        isFree: first >= rig.rented,
      })
  return chunks
}

/** The fields of a machine and of its chunks in offers, with the names and units of a real marketplace. */
const facts = (rig: Rig, size: number) => ({
  machine_id: rig.id,
  host_id: rig.host,
  gpu_name: rig.gpu,
  num_gpus: size,
  gpu_ram: 24_564,
  gpu_total_ram: 24_564 * size,
  cpu_name: 'AMD EPYC 7702 64-Core Processor',
  dph_base: rig.price * size,
  min_bid: (rig.price * size) / 2,
  storage_cost: 0.15,
  inet_up_cost: 0.002,
  inet_down_cost: 0,
  credit_discount_max: 0.3,
  dlperf: 100 * size,
  total_flops: 80 * size,
  reliability2: 0.99,
  geolocation: 'California, US',
  hosting_type: rig.datacenter ? 1 : 0,
  verification: rig.verified ? 'verified' : 'deverified',
  inet_up: 900,
  inet_down: 950,
  score: 1,
  start_date: 1_790_619_790.175714,
  end_date: 1_798_734_448,
})

export const offersOf = (rigs: readonly Rig[]) =>
  rigs.flatMap((rig) =>
    chunksOf(rig).map(({ offer, ids, isFree }) => ({
      id: offer,
      ...facts(rig, ids.length),
      gpu_frac: ids.length / rig.gpus,
      gpu_ids: ids,
      dph_total: rig.price * ids.length + 0.01,
      rentable: isFree,
      rented: false,
      is_bid: false,
    })),
  )

export const machinesOf = (rigs: readonly Rig[], time: number) => ({
  url: '/machines',
  timestamp: new Date(time * 1000).toISOString(),
  count: rigs.length,
  notes: ['a stand-in'],
  offers: rigs.map((rig) => ({
    ...facts(rig, rig.gpus),
    verified: rig.verified,
    num_gpus_rented: rig.rented,
    min_chunk: 1,
    gpu_ids: gpuIds(rig),
    chunks: chunksOf(rig).map(({ offer, ids, isFree }) => ({
      size: ids.length,
      offerId: offer,
      rentable: isFree,
      gpu_ids: ids,
    })),
    dlperf_chunk: 100,
    location: { country: 'US', location: 'California, US', lat: 37.4, long: -122.1, accuracy: 20 },
  })),
})

export const csvOf = (rigs: readonly Rig[]): string =>
  [
    'id,gpu,n,free,usd,ok',
    ...rigs
      .filter(({ gpus, rented }) => gpus > rented)
      .map(({ id, gpu, gpus, rented, price, verified }) =>
        [id, gpu, gpus, gpus - rented, price, verified ? 'yes' : 'no'].join(),
      ),
    '',
  ].join('\n')

/** The expected rows of the series for these machines, oldest machine first, and free GPUs before rented ones. */
export const expectedRows = (rigs: readonly Rig[]) =>
  rigs.flatMap((rig) => {
    const machine = {
      machine_id: rig.id,
      gpu_name: rig.gpu,
      num_gpus: rig.gpus,
      host_id: rig.host,
      price: rig.price,
    }
    const free = { ...machine, gpus: rig.gpus - rig.rented, rented: false, machines: 1 }
    const rented = { ...machine, gpus: rig.rented, rented: true, machines: rig.rented === rig.gpus ? 1 : 0 }
    return [free, rented].filter(({ gpus }) => gpus > 0)
  })

/** The rows of the series for a slot, in the form of `expectedRows`. */
export const observedAt = (clickhouse: ClickHouse, slot: number) =>
  selectRows(
    clickhouse,
    `SELECT machine_id, gpu_name, num_gpus, host_id, toFloat64(price) AS price, gpus, rented, machines FROM observations
     WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = 'market' ORDER BY machine_id, rented`,
    { slot },
  )

type Fault = (response: ServerResponse, body: string, request: IncomingMessage) => void

/** The offers that a search returns for the limits of `machine_id` in its filters. */
export function offersBetween<Offer extends { machine_id: number }>(
  offers: readonly Offer[],
  parameters: URLSearchParams,
): Offer[] {
  const { machine_id: range = {} } = JSON.parse(parameters.get('q') ?? '{}')
  return offers.filter(({ machine_id }) => !(machine_id < range.gte) && !(machine_id >= range.lt))
}

/** A server with the interfaces of outside markets. A test can set a fault of its answers. */
export async function openStandIn() {
  const standIn = {
    rigs: rigsAt(40),
    /** The time of its market, unix seconds. */
    time: 0,
    fault: undefined as Fault | undefined,
    requests: [] as IncomingMessage[],
    /** The share of what renters pay that hosts get. */
    share: 1,
    /** The accounts of hosts with their keys. A price that a host sets changes the market, where renters pay more. */
    accounts: openHostAccounts({
      onPrice: (id, price) => {
        for (const rig of standIn.rigs) if (rig.id === id) rig.price = price / standIn.share
      },
    }),
    url: '',
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const bodyOf = ({ pathname: path, searchParams }: URL): string => {
    if (path === '/machines') return JSON.stringify(machinesOf(standIn.rigs, standIn.time))
    if (path === '/list.csv') return csvOf(standIn.rigs)
    return JSON.stringify({ offers: offersBetween(offersOf(standIn.rigs), searchParams) })
  }
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://x')
    const { pathname } = address
    if (standIn.accounts.has(pathname)) return void standIn.accounts.answer(request, response)
    standIn.requests.push(request)
    const body = bodyOf(address)
    if (standIn.fault) return standIn.fault(response, body, request)
    const etag = `"${Buffer.from(body).length}-${standIn.time}"`
    const headers = { etag, 'last-modified': new Date(standIn.time * 1000).toUTCString() }
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, headers).end()
    response
      .writeHead(200, { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  standIn.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return standIn
}

export type StandIn = Awaited<ReturnType<typeof openStandIn>>

const half = (body: string) => body.slice(0, body.length / 2)

/** Faults of sources, each with the expected error message. */
export const faults: Record<string, [Fault, RegExp]> = {
  'status 500': [(response) => response.writeHead(500).end('oops'), /status 500/],
  'no permission': [(response) => response.writeHead(403).end('{}'), /status 403/],
  'an answer that is cut on the way': [
    (response, body) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).write(half(body))
      setTimeout(() => response.destroy(), 20)
    },
    /its answer was cut/,
  ],
  'a document that ends too early': [(response, body) => response.end(half(body)), /ends too early/],
  'a page that is not JSON': [(response) => response.end('<html>maintenance</html>'), /not JSON/],
  'another document': [(response) => response.end('{"machines": []}'), /no list of offers/],
  'an empty list': [(response) => response.end('{"offers": []}'), /no usable machine/],
  'a list of other things': [(response) => response.end('{"offers": [1, 2]}'), /not JSON objects/],
  'a field with another name': [
    (response, body) => response.end(body.replaceAll('dph_base', 'dph')),
    /usable machine: dph_base is missing/,
  ],
  'a field with another type': [
    (response, body) => response.end(body.replaceAll(/"num_gpus":(\d+)/g, '"num_gpus":"$1 GPUs"')),
    /num_gpus is not a number/,
  ],
  'prices of 0': [
    (response, body) => response.end(body.replaceAll(/"dph_base":[\d.]+/g, '"dph_base":0')),
    /dph_base is not above zero/,
  ],
  'prices of 1e9': [
    (response, body) => response.end(body.replaceAll(/"dph_base":[\d.]+/g, '"dph_base":1e9')),
    /100000 USD per GPU-hour or more/,
  ],
  'control characters': [
    (response, body) => response.end(body.replaceAll(/"gpu_name":"/g, '"gpu_name":"\\u0000\\u001b[2J')),
    /gpu_name is not the name of a GPU/,
  ],
  'status 304 without being asked for it': [(response) => response.writeHead(304).end(), /status 304/],
  'redirects in a circle': [
    (response, _, request) => response.writeHead(302, { location: request.url }).end(),
    /redirects more than 5 times/,
  ],
  'a redirect to a file': [
    (response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
    /redirects to where it must not/,
  ],
  'a bomb of one object': [
    (response) => {
      response.write('{"offers": [{"a": "')
      for (let size = 0; size < 5; size += 1) response.write('x'.repeat(1_000_000))
      response.end('"}]}')
    },
    /a part of more than/,
  ],
  'nothing at all': [(response) => response.end(), /not JSON/],
  'a connection that closes': [(response) => response.destroy(), /cannot be reached/],
}
