import type { z } from 'zod'
import { day, hour } from '../../../contract/durations.ts'
import { eventKinds, eventsAnswer, eventsQuery, type MarketEvent } from '../../../contract/events.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { encodeToken } from '../../../contract/search.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveNames } from '../market-query/resolve.ts'
import { selectKind } from './select-kind.ts'

const description = `Market events, each with its evidence. Events are computed from the series on request, so history that is imported later has them
too.`

const usualSeconds = 7 * day
/** The most slots times GPU names that an answer may read, about a second of work. */
const mostPoints = 1_000_000

interface EventsQuestion extends Omit<z.infer<typeof eventsQuery>, 'gpu_name' | 'start' | 'end'> {
  known: string[]
  from: number
  to: number
  /** The end of the complete hours. */
  hoursTo: number
  interval: number
}

function resolveEvents(
  { gpu_name, start, end: asked, ...filter }: z.infer<typeof eventsQuery>,
  { state, names, interval, now }: MarketState,
): EventsQuestion {
  const end = asked ?? now
  const from = Math.max(start ?? end - usualSeconds, state.first_slot)
  const to = Math.min(end, state.newest_slot + 1)
  const { known } = resolveNames(gpu_name, names)
  if ((known.length * (to - from)) / interval > mostPoints)
    throw invalidArgs('The range has too much data. Request a shorter range or fewer GPU names.')
  const hoursTo = floorTo(hour, Math.min(to, state.newest_slot + interval, state.hidden_from))
  return {
    ...filter,
    known,
    ...(to > from ? { from, to, hoursTo } : { from: 0, to: 0, hoursTo: 0 }),
    interval,
  }
}

export const eventsRoute = marketRoute({
  path: 'events',
  isOfCube: true,
  operationId: 'getGpuEvents',
  summary: 'GPU market events',
  description,
  query: eventsQuery,
  answer: eventsAnswer,
  withoutMachine: { events: [], next_token: null },
  resolve: resolveEvents,
  open:
    ({ clickhouse }) =>
    (question) =>
      queryEvents(clickhouse, question),
})

async function queryEvents(clickhouse: ClickHouse, question: EventsQuestion) {
  const { known, from, to, hoursTo, limit, after_token, ...rest } = question
  if (known.length === 0 || to === 0) return { events: [], next_token: null }
  const part = { after: after_token, limit: limit + 1 }
  const found = eventKinds.map((kind) =>
    selectKind(
      clickhouse,
      kind,
      { ...rest, names: known, from, to: kind === 'low_90d' ? hoursTo : to },
      part,
    ),
  )
  const sorted = (await Promise.all(found)).flat().sort(compareEvents)
  const events = sorted.slice(0, limit)
  const last = sorted.length > limit ? events.at(-1) : undefined
  return { events, next_token: last ? encodeToken([last.at, last.gpu_name, last.kind]) : null }
}

/** The order of a list. ClickHouse compares the bytes of a text. */
const compareEvents = (a: MarketEvent, b: MarketEvent): number =>
  b.at - a.at ||
  Buffer.compare(Buffer.from(a.gpu_name), Buffer.from(b.gpu_name)) ||
  (a.kind < b.kind ? -1 : 1)
