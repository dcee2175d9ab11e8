import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import { inOrder, notInOrder } from '../../../contract/history.ts'
import { floorTo } from '../../../contract/ladder.ts'
import type { GpuName } from '../../../contract/names.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { etagOf, hasContent } from '../../../platform/http/etag.ts'
import { describeProblems } from '../../../platform/http/request-problems.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { evictOldVersions } from './evict-old-versions.ts'
import { plain } from './plain.ts'
import { type SeriesState, type SeriesView, versionOf } from './series.ts'

const gzip = promisify(gzipCallback)
const maxBytes = 64 * 1024 * 1024

/** The databases and settings of the endpoints of a market. */
export interface MarketOptions {
  clickhouse: ClickHouse
  clock: Clock
  series: SeriesView
  /** Seconds between slots. */
  snapshotInterval: number
  /** Number of markets that share the memory for cached answers. Default: 1. */
  markets?: number
}

/** The state of the market that a query is answered against. */
export interface MarketState {
  state: SeriesState
  names: readonly GpuName[]
  /** The slots that readers may see, in order. */
  slots: Uint32Array
  /** Seconds between slots. */
  interval: number
  /** Unix seconds. */
  now: number
  /** The share of the market that the newest slot has; undefined: its source does not know it. */
  coverage?: number | undefined
}

/** Headers with the age and the origin of the data, for the OpenAPI document. */
export const stateHeaders = {
  'Rackrate-Newest-Slot': 'Time of the newest market snapshot, unix seconds',
  'Rackrate-Data-Age': 'Its age in seconds',
  'Rackrate-Coverage':
    'Share of the market that the newest snapshot has, 0 to 1. Missing where the source does not know it',
  'Rackrate-Simulated': '`true` when the range includes data of a simulated market',
  'Rackrate-Rentals': '`unknown` where the source does not say which GPUs are rented. Otherwise missing',
}

/** All headers of an answer to a query. */
export const answerHeaders = {
  'Cache-Control': 'Until the next market snapshot, for this client only',
  'Rackrate-Step': 'Seconds between points. Larger than requested when that would give too many points',
  ...stateHeaders,
}

/** One finished answer, ready to be sent any number of times. */
interface Answer {
  body: Buffer
  gzip: Buffer
  etag: string
  step: number | undefined
}

interface NewAnswer {
  /** The answer in the form of its schema. It is not validated again. */
  answer: object
  /** The step of the answer, if it has one. */
  step?: number | undefined
}

/**
 * A cache of answers by query and revision of the series. `make` computes an answer. Each answer is computed, serialized and compressed once,
 * for any number of requests. A query has every default filled in, so that equal queries have equal answers. With `periodSeconds`, an answer covers
 * whole periods, so it is cached until the next period begins or a missing past slot arrives.
 */
export function openAnswers<Question extends { from: number; to: number }>(
  { series, clock, snapshotInterval: interval, markets = 1 }: MarketOptions,
  make: (question: Question, market: MarketState) => Promise<NewAnswer>,
  periodSeconds?: number,
) {
  const cache = openReadCache<string, Answer, { question: Question; market: MarketState }>({
    maxSize: Math.floor(maxBytes / markets),
    sizeCalculation: (answer, key) => answer.body.length + answer.gzip.length + key.length,
    fetchMethod: async (_key, _stale, { context }) => finish(await make(context.question, context.market)),
  })
  const evictOthers = evictOldVersions(cache)

  return async (request: FastifyRequest, reply: FastifyReply, resolve: (market: MarketState) => Question) => {
    const market = await readMarketState({ series, clock, snapshotInterval: interval })
    const { state, now, coverage } = market
    refuseFuture(request.query as Range, now)
    const question = resolve(market)
    const version = periodSeconds ? versionOfPeriod(periodSeconds, market) : versionOf(state)
    evictOthers(version)
    const answer = await cache.forceFetch(`${version} ${JSON.stringify(question)}`, {
      context: { question, market },
    })
    reply.headers({
      etag: answer.etag,
      // The answer may change with the next slot and hardly before.
      'cache-control': `private, max-age=${interval - (now % interval)}`,
      vary: 'authorization, accept-encoding',
    })
    if (answer.step !== undefined) reply.header('rackrate-step', answer.step)
    setStateHeaders(reply, { state, now, coverage, ...question })
    const body = bodyFor(request, reply, answer)
    // Answers to requests without a key are not repeated this early: such requests are limited by address, which only the framework counts.
    if (request.caller) reply.repeatable = { body, second: now, isCurrent: () => series.isNewest(state) }
    return reply.send(body)
  }
}

/** The version of answers over whole periods: it changes when a period ends, when a missing slot arrives, and with the progress of a backfill. */
function versionOfPeriod(seconds: number, { state, slots }: MarketState): string {
  const end = floorTo(seconds, state.newest_slot)
  return `${end} ${slots.findLastIndex((slot) => slot < end)} ${state.filled_since}`
}

/** The present state of the market. */
export async function readMarketState({
  series,
  clock,
  snapshotInterval: interval,
}: Pick<MarketOptions, 'series' | 'clock' | 'snapshotInterval'>): Promise<MarketState> {
  const now = Math.floor(clock.now())
  const state = await series.state()
  const [names, slots, coverage] = await Promise.all([series.names(), series.slots(), series.coverage()])
  return { state, names, slots, interval, now, coverage }
}

interface Range {
  start?: number | undefined
  end?: number | undefined
}

/** Refuses a range without an end that begins after the present. */
export function refuseFuture({ start, end }: Range, now: number): void {
  if (!inOrder({ start, end: end ?? now })) throw invalidArgs(notInOrder.error)
}

/** Sets headers with the age of the data, with a mark if rentals are not known, and with one if the range, by default the whole series, has slots of a simulated market. */
export function setStateHeaders(
  reply: FastifyReply,
  {
    state,
    now,
    from = state.first_slot,
    to = state.newest_slot + 1,
    coverage,
  }: Pick<MarketState, 'state' | 'now' | 'coverage'> & Part,
): void {
  reply.headers({
    'rackrate-newest-slot': state.newest_slot,
    'rackrate-data-age': Math.max(0, Math.floor(now) - state.newest_slot),
  })
  if (coverage !== undefined) reply.header('rackrate-coverage', coverage.toFixed(3))
  if (isSimulated({ from, to }, state)) reply.header('rackrate-simulated', 'true')
  if (!state.has_rentals) reply.header('rackrate-rentals', 'unknown')
}

interface Part {
  from?: number
  to?: number
}

/** True if a range has slots of a simulated market. */
export const isSimulated = ({ from, to }: { from: number; to: number }, state: SeriesState): boolean =>
  state.simulated_to > 0 && from <= state.simulated_to && to > state.simulated_from

async function finish({ answer, step }: NewAnswer): Promise<Answer> {
  const body = Buffer.from(JSON.stringify(plain(answer)))
  return {
    body,
    gzip: await gzip(body, { level: 1 }), // a third of the time of the usual level, for a quarter more bytes
    etag: etagOf(body),
    step,
  }
}

// A buffer passes the serializer untouched.
function bodyFor({ headers }: FastifyRequest, reply: FastifyReply, answer: Answer): Buffer | undefined {
  if (hasContent(headers['if-none-match'], answer.etag)) return void reply.code(304)
  reply.type('application/json; charset=utf-8')
  // For `*` the negotiator returns the first of its list, which is not gzip: `gzip;q=0, *` refuses gzip.
  const encoding = negotiate(headers['accept-encoding'] ?? '', ['identity', 'gzip'])
  if (encoding !== 'gzip') return answer.body
  reply.header('content-encoding', 'gzip')
  return answer.gzip
}

/** A range with the newest slot only; 0 and 0 without a slot. */
export const newestSlot = ({ state: { newest_slot: slot } }: MarketState) => ({
  from: slot,
  to: slot === 0 ? 0 : slot + 1,
})

/** The first problem of a query. A bad value often has several, and one sentence is enough. */
export const firstSentence = (errors: readonly FastifySchemaValidationError[]): Error =>
  invalidArgs(describeProblems(errors.slice(0, 1), 'query'))
