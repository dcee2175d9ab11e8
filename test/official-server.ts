import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countFigures, priceFigures } from '../contract/history-figures.ts'
import { recordOf } from '../contract/records.ts'

/** Machines and GPUs of a GPU name by verification and state. */
export type OfficialParts = Record<
  `${'rented' | 'avail'}_${'verified' | 'unverified'}${'' | '_gpus'}`,
  number
>

/** GPU names with their machines: counts, or the numbers of machines of 2 GPUs of which half are rented. */
type OfficialMarket = Record<string, { verified: number; unverified: number } | OfficialParts>

/** The official aggregates of a marketplace, and the requests for them. */
export interface OfficialState {
  key: string
  /** The time of its clock, unix seconds. */
  now: number
  /** Its first bucket. */
  since: number
  market: OfficialMarket
  /** The faults of the next requests; undefined: it answers as usual. */
  faults: (Fault | undefined)[]
  requests: { verified: string; start: number; end: number }[]
}

export interface OfficialStandIn extends OfficialState {
  url: string
  close(): void
}

export type Fault =
  | 'html'
  | 'busy'
  | 'other version'
  | 'contradiction'
  | 'all contradict'
  | 'no machine'
  | 'cut'

export const officialDefaults = (market: OfficialMarket): OfficialState => ({
  key: 'official-key-1',
  now: 0,
  since: 0,
  market,
  faults: [],
  requests: [],
})

/** Imitates `metrics/gpu/history` of a marketplace: hourly aggregates of a market whose prices rise by a cent a day. */
export function answerOfficial(state: OfficialState, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  const send = (status: number, body: string, headers = {}) =>
    response
      .writeHead(status, {
        'content-type': 'application/json',
        date: new Date(state.now * 1000).toUTCString(),
        ...headers,
      })
      .end(body)
  if (request.headers.authorization !== `Bearer ${state.key}`) return send(401, '{"success":false}')
  if (!pathname.startsWith('/api/v0/metrics/gpu/history')) return send(404, '{"success":false}')
  const asked = {
    verified: searchParams.get('verified') ?? 'yes',
    start: Number(searchParams.get('start')),
    end: Number(searchParams.get('end')),
  }
  state.requests.push(asked)
  const fault = state.faults.shift()
  if (fault === 'html')
    return send(200, '<!doctype html><title>Maintenance</title>', { 'content-type': 'text/html' })
  if (fault === 'busy') return send(429, 'Too many requests', { 'content-type': 'text/plain' })
  if (fault === 'other version') return send(200, JSON.stringify({ success: true, results: [] }))
  if (fault === 'no machine')
    return send(200, JSON.stringify({ success: true, needs_machine: true, gpus: {} }))
  const body = JSON.stringify({ success: true, needs_machine: false, gpus: gpusOf(state, asked, fault) })
  return send(200, fault === 'cut' ? body.slice(0, body.length / 2) : body)
}

/** A server with official aggregates alone. */
export async function openOfficialServer(market: OfficialMarket): Promise<OfficialStandIn> {
  const server = createServer((request, response) => void answerOfficial(state, request, response))
  const state: OfficialStandIn = { ...officialDefaults(market), url: '', close: () => server.close() }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

function gpusOf(
  { market, since, now }: OfficialState,
  { verified, start, end }: { verified: string; start: number; end: number },
  fault: Fault | undefined,
) {
  const from = Math.max(Math.floor(start / 3600) * 3600, Math.ceil(since / 3600) * 3600)
  const timestamps: number[] = []
  for (let time = from; time <= Math.min(end, now); time += 3600) timestamps.push(time)
  return Object.fromEntries(
    Object.entries(market).map(([name, machines], index) => {
      const isWrong = fault === 'all contradict' || (fault === 'contradiction' && index === 0)
      return [name, recordAt(machines, timestamps, { verified, isWrong })]
    }),
  )
}

function recordAt(
  machines: OfficialMarket[string],
  timestamps: readonly number[],
  { verified, isWrong }: { verified: string; isWrong: boolean },
) {
  const parts = partsOf(machines)
  const sum = (...names: (keyof OfficialParts)[]) => names.reduce((total, name) => total + parts[name], 0)
  for (const name of Object.keys(parts) as (keyof OfficialParts)[])
    if (name.includes('_unverified') ? verified === 'yes' : verified === 'no') parts[name] = 0
  const counts = {
    ...parts,
    available: sum('avail_verified', 'avail_unverified'),
    total: sum('rented_verified', 'avail_verified', 'rented_unverified', 'avail_unverified'),
    total_gpus:
      sum('rented_verified_gpus', 'avail_verified_gpus', 'rented_unverified_gpus', 'avail_unverified_gpus') +
      Number(isWrong),
  }
  const level = {
    rented_p10: 0.3,
    rented_median: 0.4,
    rented_p90: 0.5,
    avail_p10: 0.4,
    avail_median: 0.5,
    avail_p90: 0.6,
  }
  return {
    supply_demand: {
      timestamps,
      bucket_size: 1,
      ...recordOf(countFigures, (figure) => timestamps.map(() => counts[figure])),
    },
    pricing: {
      timestamps,
      ...recordOf(priceFigures, (figure) =>
        timestamps.map(
          (time) => Math.round(1e4 * (level[figure] + 0.01 * (Math.floor(time / 86_400) % 100))) / 1e4,
        ),
      ),
    },
    stats: { tflops: 80, dlperf: 300, tflops_per_dollar: null, dlperf_per_dollar: null },
  }
}

function partsOf(machines: OfficialMarket[string]): OfficialParts {
  if (!('verified' in machines)) return { ...machines }
  const { verified, unverified } = machines
  const rented = { verified: Math.floor(verified / 2), unverified: Math.floor(unverified / 2) }
  return {
    rented_verified: rented.verified,
    avail_verified: verified - rented.verified,
    rented_unverified: rented.unverified,
    avail_unverified: unverified - rented.unverified,
    rented_verified_gpus: 2 * rented.verified,
    avail_verified_gpus: 2 * (verified - rented.verified),
    rented_unverified_gpus: 2 * rented.unverified,
    avail_unverified_gpus: 2 * (unverified - rented.unverified),
  }
}
