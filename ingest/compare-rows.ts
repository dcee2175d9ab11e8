import { day as secondsPerDay } from '../contract/durations.ts'
import { ceilTo } from '../contract/ladder.ts'
import { filterNames } from '../contract/market-filter.ts'
import { groupBy } from '../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { countText, type Problem, rebuild, runs, timeText } from './problems.ts'
import type { Range } from './ranges.ts'

/** The columns of a class of machines. The cube has tiers among the values of `verified`. */
const classNames = [...filterNames, 'tier']

/** The columns that identify a row of each table, besides `time`. */
const keys = {
  cube: ['step', 'gpu_name', 'bucket', ...filterNames],
  price_histogram: ['gpu_name', 'hour', ...classNames, 'rented', 'price'],
  price_steps: ['step', 'gpu_name', 'bucket', ...classNames, 'rented', 'price'],
  flows: ['gpu_name', 'hour', ...classNames, 'position'],
  terms: ['gpu_name', 'machine_id', 'slot'],
  specs: ['gpu_name', 'machine_id', 'slot'],
  machine_days: ['gpu_name', 'day', 'machine_id', 'num_gpus'],
  price_index: ['gpu_name', 'day'],
}

type Table = keyof typeof keys

/** A row that is stored and not computed (`surplus` 1), or computed and not stored (-1). */
interface WrongRow extends Record<string, unknown> {
  time: number
  surplus: number
}

// Wrong rows to report for a day: enough to find the cause.
const most = 100

/**
 * Compares the stored rows of a table with newly computed ones. `seconds`: the time that a row covers. If undefined, it is the
 * row's step.
 */
export async function compareRows(
  clickhouse: ClickHouse,
  { table, seconds }: { table: Table; seconds?: number },
  parameters: Record<string, number | readonly number[]>,
): Promise<Problem[]> {
  const query = `check/${table}`
  const rows = await selectRows<WrongRow>(clickhouse, query, { ...parameters, most })
  const bySeconds = groupBy(rows, ({ step }) => seconds ?? Number(step))
  return [...bySeconds].flatMap(([length, found]) => problemsOf(table, length, found))
}

function problemsOf(table: Table, seconds: number, rows: readonly WrongRow[]): Problem[] {
  const dayOf = ({ time }: WrongRow) => Math.floor(time / secondsPerDay)
  return runs(rows, dayOf, 1).map((found) => {
    const times = found.map(({ time }) => time)
    const last = Math.max(...times)
    // If the limit cut the last day, its rows are incomplete.
    const isCut = found.filter((row) => dayOf(row) === Math.floor(last / secondsPerDay)).length >= most
    const end = isCut ? ceilTo(secondsPerDay, last + 1) : last + 1
    const range = { from: Math.min(...times), to: Math.max(last + seconds, end) }
    return { table, ...range, problem: describe(table, found, range), fix: rebuild(range) }
  })
}

function describe(table: Table, rows: readonly WrongRow[], { from, to }: Range): string {
  const byKey = groupBy(rows, (row) => keys[table].map((column) => row[column]).join())
  const [first = []] = byKey.values()
  const count = countText(byKey.size, 'row')
  const more = rows.length >= most ? ' or more' : ''
  const where = `${count}${more} between ${timeText(from)} and ${timeText(to)}`
  return `${table}: ${where} ${byKey.size === 1 ? 'is' : 'are'} wrong. ${byKey.size === 1 ? 'It' : 'The first'} ${fault(table, first)}.`
}

function fault(table: Table, rows: readonly WrongRow[]): string {
  const stored = rows.find(({ surplus }) => surplus > 0)
  const expected = rows.find(({ surplus }) => surplus < 0)
  const [row] = rows
  const name = keys[table].map((column) => `${column} ${JSON.stringify(row?.[column])}`).join(', ')
  if (!stored) return `is missing: ${name}`
  if (!expected) return `should not be there: ${name}`
  const values = Object.keys(stored)
    .filter((column) => column !== 'surplus' && stored[column] !== expected[column])
    .map(
      (column) =>
        `${column} is ${JSON.stringify(stored[column])} and should be ${JSON.stringify(expected[column])}`,
    )
  return `has other values: ${name}: ${values.join(', ') || 'they differ in the last digits'}`
}
