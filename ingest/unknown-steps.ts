import { week } from '../contract/durations.ts'
import { ladder, priceSteps, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { countText, type Problem, rebuild, timeText } from './problems.ts'
import type { Range } from './ranges.ts'

interface UnknownStep {
  table: 'cube' | 'price_steps'
  step: number
  rows: number
  first: number
  last: number
}

/** Rows whose step no roll-up computes. */
export const unknownSteps = (clickhouse: ClickHouse, range: Range): Promise<UnknownStep[]> =>
  selectRows(clickhouse, 'check/unknown_steps', {
    ...wholeBuckets(week, range),
    steps: [slotStep, ...ladder],
    price_steps: priceSteps,
  })

export function describeStep({ table, step, rows, first, last }: UnknownStep): Problem {
  const range = { from: first, to: last + 1 }
  const problem = `${table}: ${countText(rows, 'row')} between ${timeText(first)} and ${timeText(last + 1)} should not be there: there is no step of ${step} seconds.`
  return { table, ...range, problem, fix: rebuild(range) }
}
