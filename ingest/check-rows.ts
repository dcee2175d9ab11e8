import { ceilTo, isHourly, ladder, priceSteps, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { filterNames } from '../contract/market-filter.ts'
import { groupBy } from '../platform/group-by.ts'
import { filledSince } from '../platform/stores/backfills.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { flowProgress } from '../platform/stores/flow-progress.ts'
import type { Session } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { mostElements } from './flows.ts'
import {
  type CheckPart,
  countText,
  type NotChecked,
  type Problem,
  rebuild,
  resultOf,
  runs,
  timeText,
} from './problems.ts'
import {
  cover,
  type Hour,
  observationsPerComparison,
  observedPart,
  partsOfSteps,
  type Range,
  split,
} from './ranges.ts'
import { comparablePart, observedSince } from './terms.ts'
import type { Series } from './write-series.ts'

/** The columns that name a row of each table, `time` aside. */
const keys = {
  cube: ['step', 'gpu_name', 'bucket', ...filterNames],
  price_histogram: ['gpu_name', 'hour', ...filterNames, 'rented', 'price'],
  price_steps: ['step', 'gpu_name', 'bucket', ...filterNames, 'rented', 'price'],
  flows: ['gpu_name', 'hour', ...filterNames, 'position'],
  terms: ['gpu_name', 'machine_id', 'slot'],
  machine_days: ['gpu_name', 'day', 'machine_id', 'num_gpus'],
  price_index: ['gpu_name', 'day'],
}

type Table = keyof typeof keys

/** A row that is stored and not computed (`surplus` 1), or computed and not stored (-1). */
interface WrongRow extends Record<string, unknown> {
  time: number
  surplus: number
}

// Enough to tell what is wrong with a day.
const most = 100
const secondsPerDay = 86_400

/** Compares the rows of a table with what they are computed from. `seconds`: how long a row is; undefined: as long as its step. */
export async function compareRows(
  clickhouse: ClickHouse,
  { table, seconds }: { table: Table; seconds?: number },
  parameters: Record<string, number | readonly number[]>,
): Promise<Problem[]> {
  const query = loadSql(`clickhouse/queries/check/${table}`)
  const rows = await selectRows<WrongRow>(clickhouse, query, { ...parameters, most })
  const bySeconds = groupBy(rows, ({ step }) => seconds ?? Number(step))
  return [...bySeconds].flatMap(([length, found]) => problemsOf(table, length, found))
}

function problemsOf(table: Table, seconds: number, rows: readonly WrongRow[]): Problem[] {
  const dayOf = ({ time }: WrongRow) => Math.floor(time / secondsPerDay)
  return runs(rows, dayOf, 1).map((found) => {
    const times = found.map(({ time }) => time)
    const last = Math.max(...times)
    // Of a day with too many wrong rows not all are here.
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

/** Verifies the rows of the cube, the histogram, the price steps, the flows and the terms. What is older than the observations is left out. */
export async function checkRows(
  { postgres }: Pick<Series, 'postgres'>,
  hours: readonly Hour[],
  range: Range,
): Promise<CheckPart[]> {
  const [summed, binned, marked] = [
    await filledSince(postgres, 'sums'),
    await filledSince(postgres, 'bins'),
    await filledSince(postgres, 'thin'),
  ]
  const [hourly, observed] = [ladder.filter(isHourly), ladder.filter((step) => !isHourly(step))]
  const tooOld = [
    ...unfilled({ from: range.from, to: Math.min(range.to, summed) }, 'sums'),
    ...unfilled({ from: range.from, to: Math.min(range.to, binned) }, 'price bins'),
    ...unfilled({ from: range.from, to: Math.min(range.to, marked) }, 'thin marks'),
  ]
  return [
    async ({ clickhouse }) => {
      const strange = await unknownSteps(clickhouse, range)
      return { problems: strange.map(describeStep), not_checked: tooOld }
    },
    ...checkPrices(hours, range, { table: 'price_histogram', seconds: 3600, binned, since: 0 }),
    ...priceSteps.flatMap((seconds) =>
      checkPrices(hours, range, { table: 'price_steps', seconds, binned, since: summed }),
    ),
    ...checkCube(hours, range, { steps: [slotStep, ...observed], since: marked }),
    ...checkCube(hours, range, { steps: hourly, since: Math.max(summed, marked) }),
    ...(await checkFlows(postgres, hours, range)),
    ...checkTerms(hours, range),
  ]
}

const small = { observations: observationsPerComparison }

interface PriceRows {
  table: 'price_histogram' | 'price_steps'
  /** How long a row is. */
  seconds: number
  binned: number
  since: number
}

function checkPrices(
  hours: readonly Hour[],
  range: Range,
  { table, seconds, binned, since }: PriceRows,
): CheckPart[] {
  const whole = wholeBuckets(seconds, range)
  return cover(split(hours, seconds, whole, small), whole).map((part) => async (series) => {
    const from = Math.max(part.from, ceilTo(seconds, Math.max(since, series.since)))
    if (from >= part.to) return resultOf()
    const parameters = { ...part, from, binned, ...(table === 'price_steps' && { step: seconds }) }
    return resultOf(await compareRows(series.clickhouse, { table, seconds }, parameters))
  })
}

/** In a small market planning a statement takes longer than all the rest, so one compares all steps there. */
const checkCube = (
  hours: readonly Hour[],
  range: Range,
  { steps, since: filled }: { steps: readonly number[]; since: number },
): CheckPart[] =>
  partsOfSteps(hours, steps, range).map((part) => async (series) => {
    const since = Math.max(filled, series.since)
    const from = Math.max(part.from, since)
    if (from >= part.to) return resultOf()
    return resultOf(await compareRows(series.clickhouse, { table: 'cube' }, { ...part, from, since }))
  })

async function checkFlows(postgres: Session, hours: readonly Hour[], range: Range): Promise<CheckPart[]> {
  const { filled, until } = await flowProgress(postgres)
  const whole = wholeBuckets(3600, range)
  const left = { from: Math.max(whole.from, until), to: Math.min(whole.to, filled) }
  const kept =
    left.from < left.to
      ? [
          { ...whole, to: left.from },
          { ...whole, from: left.to },
        ]
      : [whole]
  const compare = (part: Range) => async (series: Series) => {
    const observed = observedPart(part, series.since)
    if (observed.from >= observed.to) return resultOf()
    const parameters = { ...observed, longest: series.longestPair }
    return resultOf(await compareRows(series.clickhouse, { table: 'flows', seconds: 3600 }, parameters))
  }
  const parts = kept.flatMap((one) => cover(split(hours, 3600, one, { product: mostElements }), one))
  return [...parts.map(compare), async () => ({ problems: [], not_checked: unfilled(left, 'flows') })]
}

const checkTerms = (hours: readonly Hour[], range: Range): CheckPart[] =>
  cover(split(hours, 3600, range, small), range).map((part) => async (series) => {
    const { from, to } = await comparablePart(series, part)
    if (from >= to) return resultOf()
    const parameters = { from, to, since: observedSince(series.since) }
    return resultOf(await compareRows(series.clickhouse, { table: 'terms', seconds: 1 }, parameters))
  })

const unfilled = (left: Range, what: string): NotChecked[] =>
  left.from < left.to
    ? [
        {
          ...left,
          reason: `The ${what} of before ${timeText(left.to)} are still being made after an upgrade.`,
        },
      ]
    : []

interface UnknownStep {
  table: 'cube' | 'price_steps'
  step: number
  rows: number
  first: number
  last: number
}

/** Rows of steps that nothing computes. */
export const unknownSteps = (clickhouse: ClickHouse, range: Range): Promise<UnknownStep[]> =>
  selectRows(clickhouse, loadSql('clickhouse/queries/check/unknown_steps'), {
    ...wholeBuckets(604_800, range),
    steps: [slotStep, ...ladder],
    price_steps: priceSteps,
  })

function describeStep({ table, step, rows, first, last }: UnknownStep): Problem {
  const range = { from: first, to: last + 1 }
  const problem = `${table}: ${countText(rows, 'row')} between ${timeText(first)} and ${timeText(last + 1)} should not be there: there is no step of ${step} seconds.`
  return { table, ...range, problem, fix: rebuild(range) }
}
