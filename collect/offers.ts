import { setTimeout as timer } from 'node:timers/promises'
import { usualCallsPerMinute } from '../contract/sources.ts'
import type { Fields } from '../import/record.ts'
import { machineIdOf, middleMachine } from './cells.ts'
import { machineOf, neededFields } from './chunks.ts'
import { countStates } from './coverage.ts'
import { readList } from './json-list.ts'
import { openMarket } from './market.ts'
import { placeOf } from './place.ts'
import { get, type SourceResponse } from './request.ts'
import { type Search, sweepMarket } from './sampled-search.ts'
import type { Request, Source, SourceAnswer } from './source.ts'
import { SourceError } from './source-error.ts'
import { machinesOf, offerId } from './sweep.ts'
import { withinSeconds } from './time-limit.ts'

const mostOffers = 500_000

export interface SearchOptions {
  /** Searches that are sent in a minute. */
  callsPerMinute?: number | undefined
  /** Waits between two searches. */
  pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Milliseconds of the clock that a pause advances. */
  now?: (() => number) | undefined
}

/**
 * Filters of all offers for on-demand use, each chunk of a machine for itself. Without filters of one's own for them, a search may show verified and free
 * offers only.
 */
const usualFilters = {
  external: { eq: 'false' },
  type: 'on-demand',
  disable_bundling: true,
  verified: { in: [true, false] },
  rentable: { in: [true, false] },
}

/** A search with more offers than this has answered with all of them. Real ones cut their answers at 64. */
const mostSampled = 100

/** A search that ignores questions and repeats the same offers serves a list. From this number on the list may have been cut: real samples have 52 offers or more. */
const shortestCut = 50

/** Seconds for a request: an answer of 95 MB takes long. */
const longestSearch = 120

/**
 * The search of a Vast-style marketplace. An offer is a chunk of a machine, and chunks overlap. A search that answers with a sample is swept by many
 * questions within a budget; one that answers with all offers is sent once.
 */
export function offerSearch(text: string, userAgent: string, options: SearchOptions = {}): Source {
  const { url, name } = placeOf(text, '/api/v0/bundles/')
  const isOwnQuery = url.search !== ''
  const { callsPerMinute = usualCallsPerMinute, pause = waitFor, now = () => performance.now() } = options
  const search: Search = async (filters, request) => {
    const address = new URL(url)
    if (!isOwnQuery) address.searchParams.set('q', JSON.stringify({ ...usualFilters, ...filters }))
    const seconds = Math.min(longestSearch, request.interval - 10)
    return withinSeconds(seconds, request.signal, async (signal) => {
      const response = await get(address, userAgent, { ...request, signal })
      return response && { ...(await readOffers(response)), response }
    })
  }
  return {
    name: `vast=${name}`,
    hasRentals: true,
    async fetchMarket(request) {
      const pace = openPace(60_000 / callsPerMinute, { now, pause: (ms) => pause(ms, request.signal) })
      await pace()
      const all = await search({}, request)
      if (!all) return { unchanged: true }
      const paced: Search = async (filters, asked) => {
        await pace()
        return search(filters, asked)
      }
      const whole = () => wholeAnswer(all.offers, all.response, request.slot)
      if (isOwnQuery || all.raw > mostSampled) return whole()
      const picture = await request.pictures?.read()
      if (!picture && !(await isSample(all.offers, paced, request))) return whole()
      return sweepMarket(all.offers, picture, {
        url,
        userAgent,
        callsPerMinute,
        search: paced,
        request,
        pause,
      })
    },
    sweeps: !isOwnQuery,
  }
}

const waitFor = async (ms: number, signal: AbortSignal) => {
  await timer(ms, undefined, { signal })
}

/** Returns when `spacing` milliseconds have passed since it returned last. */
function openPace(
  spacing: number,
  { now, pause }: { now: () => number; pause: (ms: number) => Promise<void> },
) {
  let next = now()
  return async () => {
    const wait = next - now()
    if (wait > 0) await pause(wait)
    next = now() + spacing
  }
}

/** Reads the offers of an answer. If two offers have the same id, the one with the higher score counts. */
async function readOffers({ bytes }: SourceResponse): Promise<{ offers: Fields[]; raw: number }> {
  const offers = new Map<string, Fields>()
  let raw = 0
  await readList(bytes, (offer) => {
    raw += 1
    if (raw > mostOffers) throw new SourceError(`The source lists more than ${mostOffers} offers.`)
    const known = offers.get(offerId(offer))
    if (!known || scoreOf(offer) > scoreOf(known)) offers.set(offerId(offer), neededFields(offer))
  })
  return { offers: [...offers.values()], raw }
}

const scoreOf = ({ score }: Fields): number => (typeof score === 'number' ? score : 0)

/**
 * Returns true if the offers are a sample: two narrower queries that together cover the whole market return further offers. A search that ignores the
 * questions throws SourceError, since then nothing shows that there are no other offers. A short list that stays the same is the whole market.
 */
async function isSample(offers: readonly Fields[], search: Search, request: Request): Promise<boolean> {
  const known = new Set(offers.map(offerId))
  const middle = middleMachine(offers)
  if (middle === undefined) return false
  let isFound = false
  for (const [filter, isAsked] of halvesAt(middle)) {
    const half = await search({ machine_id: filter }, { ...request, validators: undefined })
    const found = half?.offers ?? []
    const foreign = found.filter((offer) => !isAsked(machineIdOf(offer))).length
    const others = found.filter((offer) => !known.has(offerId(offer))).length
    const isShortList = offers.length < shortestCut && found.length === offers.length && others === 0
    if (foreign > 0 && !isShortList)
      throw new SourceError(
        `The search answers with ${offers.length} offers and ignores its filters: ${foreign} of ${found.length} offers are of other machines than requested. A sample of a market cannot be recorded as the market. If the address answers with the whole market, give it a query of its own, such as ?all=1.`,
      )
    isFound ||= others > 0
  }
  return isFound
}

const halvesAt = (machine: number): [object, (machine: number) => boolean][] => [
  [{ lt: machine }, (found) => !(found >= machine)],
  [{ gte: machine }, (found) => !(found < machine)],
]

function wholeAnswer(offers: readonly Fields[], response: SourceResponse, slot: number): SourceAnswer {
  const market = openMarket()
  for (const [id, chunks] of machinesOf(offers))
    market.add(`machine ${id}`, () => machineOf(chunks, slot, market.leaveOut))
  const collected = market.close()
  const coverage = {
    sampled: 0,
    known: 0,
    share: 1,
    low: 1,
    high: 1,
    method: 'one answer' as const,
    machines: collected.machines,
    carried: 0,
    age: 0,
    calls: 1,
    problem: null,
    states: countStates(offers),
    names: {},
  }
  return { unchanged: false, market: collected, validators: response.validators, coverage }
}
