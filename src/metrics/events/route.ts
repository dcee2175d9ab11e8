import type { z } from 'zod'
import { eventKinds, eventsAnswer, eventsQuery, type MarketEvent } from '../../../contract/events.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Moment } from '../question/answers.ts'
import { marketRoute } from '../question/market-route.ts'
import { resolveNames } from '../question/resolve.ts'

const description = `Market events, each with its evidence. Events are computed from the series on request, so history that is imported later has them
too.`

const usualSeconds = 7 * 86_400
const mostEvents = 1000
/** Market snapshots of all GPU names together that an answer may look at, about a second of work. */
const mostPoints = 1_000_000

interface EventsQuestion extends Omit<z.infer<typeof eventsQuery>, 'gpu_name' | 'start' | 'end'> {
  known: string[]
  from: number
  to: number
  /** Until when hours are over. */
  hoursTo: number
  interval: number
}

function resolveEvents(
  { gpu_name, start, end: asked, ...filter }: z.infer<typeof eventsQuery>,
  { state, names, interval, now }: Moment,
): EventsQuestion {
  const end = asked ?? now
  const from = Math.max(start ?? end - usualSeconds, state.first_slot)
  const to = Math.min(end, state.newest_slot + 1)
  const { known } = resolveNames(gpu_name, names)
  if ((known.length * (to - from)) / interval > mostPoints)
    throw invalidArgs('The range has too much data. Request a shorter range or fewer GPU names.')
  const hoursTo = floorTo(3600, Math.min(to, state.newest_slot + interval))
  return {
    ...filter,
    known,
    ...(to > from ? { from, to, hoursTo } : { from: 0, to: 0, hoursTo: 0 }),
    interval,
  }
}

export const eventsRoute = marketRoute({
  path: 'events',
  operationId: 'getGpuEvents',
  summary: 'GPU market events',
  description,
  query: eventsQuery,
  answer: eventsAnswer,
  withoutMachine: { events: [] },
  resolve: resolveEvents,
  open:
    ({ clickhouse }) =>
    async (question) => ({ events: await queryEvents(clickhouse, question) }),
})

async function queryEvents(clickhouse: ClickHouse, question: EventsQuestion): Promise<MarketEvent[]> {
  const { known, from, to, hoursTo, ...rest } = question
  if (known.length === 0 || to === 0) return []
  const found = eventKinds.map(async (kind) => {
    const parameters = { ...rest, names: known, from, to: kind === 'low_90d' ? hoursTo : to }
    const query = loadSql(`clickhouse/queries/events/${kind}`)
    const rows = await selectRows<Omit<MarketEvent, 'kind'>>(clickhouse, query, parameters)
    return rows.map((row) => ({ ...row, kind }))
  })
  const events = (await Promise.all(found)).flat()
  const compare = (a: MarketEvent, b: MarketEvent) =>
    b.at - a.at || (`${a.gpu_name} ${a.kind}` < `${b.gpu_name} ${b.kind}` ? -1 : 1)
  return events.sort(compare).slice(0, mostEvents)
}
