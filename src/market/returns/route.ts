import { day } from '../../../contract/durations.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type ReturnsQuery, returnsAnswer, returnsQuery } from '../../../contract/returns.ts'
import type { Movement } from '../../../estimates/returns-outlook.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { type PublishedQuestion, publishedBefore, readPublished } from '../market-query/published.ts'
import { type ClassRow, classesOf, classRow, type FoundRow, inOrder, movementIn } from './classes.ts'

const description = `What GPUs of each type, size of memory and rig size earned in the 30 and 90 days before the newest published day, what is left after
power and fee, and after which time a purchase price is paid back. Observed, not promised. Classes of fewer than 5 machines or 3 hosts have no figures.`

type ReturnsQuestion = ReturnsQuery & PublishedQuestion

const longest = 90

/** The rows of a filter. Costs and prices of a question are applied to them. */
interface ReturnRows {
  to: number
  days: number
  rows: ClassRow[]
  changes: Map<string, (number | null)[]>
  movement: Movement | null
}

export const returnsRoute = marketRoute({
  path: 'returns',
  operationId: 'getGpuReturns',
  summary: 'Income, payback and ranking of GPU types',
  description,
  query: returnsQuery,
  answer: returnsAnswer,
  withoutMachine: { to: null, days: 0, not_taken_off: [], classes: [], left_out: 0 },
  lasts: day,
  resolve: (query, moment): ReturnsQuestion => ({ ...query, ...publishedBefore(moment, longest) }),
  open: ({ clickhouse }) => {
    const found = openReadCache<string, ReturnRows, ReturnsQuestion>({
      max: 100,
      fetchMethod: (_key, _stale, { context }) => readClasses(clickhouse, context),
    })
    return async (question) => {
      const { to, published, hasRentals, days: window, kwh_price, fee } = question
      const filter = filterOf(question)
      const { rows, changes, movement, ...read } = await found.forceFetch(
        JSON.stringify([filter, to, published]),
        {
          context: question,
        },
      )
      const all = classesOf(rows, {
        question,
        window: Number(window),
        days: read.days,
        changes,
        hasRentals,
        movement,
      })
      const classes = inOrder(all, question.order)
      return {
        to: read.to || null,
        days: read.days,
        not_taken_off: [
          ...(fee === undefined ? (['fee'] as const) : []),
          ...(kwh_price === undefined ? (['power'] as const) : []),
        ],
        classes: classes.slice(0, question.limit),
        left_out: Math.max(0, classes.length - question.limit),
      }
    }
  },
})

async function readClasses(clickhouse: ClickHouse, question: ReturnsQuestion): Promise<ReturnRows> {
  const { to, days } = await readPublished(clickhouse, question, longest)
  if (to === 0) return { to, days, rows: [], changes: new Map(), movement: null }
  const [rows, changes] = await Promise.all([
    selectRows<FoundRow>(clickhouse, 'returns/classes', { ...filterOf(question), to }),
    selectRows<{ gpu_name: string; changes: (number | null)[] }>(clickhouse, 'returns/changes', { to }),
  ])
  const classes = rows.map(classRow)
  return {
    to,
    days,
    rows: classes,
    movement: movementIn(classes, days),
    changes: new Map(changes.map((row) => [row.gpu_name, row.changes])),
  }
}
