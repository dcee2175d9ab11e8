import { ceilTo, isHourly, ladder, priceSteps, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { groupBy } from '../platform/group-by.ts'
import { binnedSince, summedSince } from '../platform/stores/backfills.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { flowProgress } from '../platform/stores/flow-progress.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { mostElements } from './flows.ts'
import {
  type CheckResult,
  countText,
  type NotChecked,
  type Problem,
  rebuild,
  runs,
  timeText,
} from './problems.ts'
import { cover, type Hour, observedPart, partsOfSteps, type Range, split } from './ranges.ts'
import { comparablePart, observedSince } from './terms.ts'
import type { Series } from './write-series.ts'

/** The columns that name a row of each table, `time` aside. */
const keys = {
  cube: ['step', 'gpu_name', 'bucket', 'verified', 'hosting_type', 'num_gpus'],
  price_histogram: ['gpu_name', 'hour', 'num_gpus', 'verified', 'hosting_type', 'rented', 'price'],
  price_steps: ['step', 'gpu_name', 'bucket', 'num_gpus', 'verified', 'hosting_type', 'rented', 'price'],
  flows: ['gpu_name', 'hour', 'num_gpus', 'verified', 'hosting_type', 'position'],
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
export async function checkRows(series: Series, hours: readonly Hour[], range: Range): Promise<CheckResult> {
  const { clickhouse, postgres, since } = series
  const [summed, binned] = [await summedSince(postgres), await binnedSince(postgres)]
  const problems: Problem[] = []
  const compare = async (table: Table, step: number, from = since) => {
    const whole = wholeBuckets(step, range)
    const kept = { ...whole, from: Math.max(whole.from, ceilTo(Math.max(step, 3600), from)) }
    const named = { binned, ...(table !== 'price_histogram' && { step }) }
    for (const part of cover(split(hours, step, kept), kept))
      problems.push(...(await compareRows(clickhouse, { table, seconds: step }, { ...part, ...named })))
  }
  await compare('price_histogram', 3600)
  for (const step of priceSteps) await compare('price_steps', step, Math.max(since, summed))
  const [hourly, observed] = [ladder.filter(isHourly), ladder.filter((step) => !isHourly(step))]
  problems.push(...(await checkCube(series, hours, { ...range, steps: [slotStep, ...observed], since })))
  problems.push(
    ...(await checkCube(series, hours, { ...range, steps: hourly, since: Math.max(since, summed) })),
  )
  const flows = await checkFlows(series, hours, range)
  const terms = await checkTerms(series, hours, range)
  const strange = await unknownSteps(clickhouse, range)
  return {
    problems: [...strange.map(describeStep), ...problems, ...flows.problems, ...terms],
    not_checked: [
      ...unfilled({ from: range.from, to: Math.min(range.to, summed) }, 'sums'),
      ...unfilled({ from: range.from, to: Math.min(range.to, binned) }, 'price bins'),
      ...flows.not_checked,
    ],
  }
}

/** In a small market planning a statement takes longer than all the rest, so one compares all steps there. */
async function checkCube(
  { clickhouse }: Series,
  hours: readonly Hour[],
  { steps, since, ...range }: Range & { steps: readonly number[]; since: number },
): Promise<Problem[]> {
  const kept = { from: Math.max(range.from, since), to: range.to }
  if (kept.from >= kept.to) return []
  const problems: Problem[] = []
  for (const part of partsOfSteps(hours, steps, kept))
    problems.push(...(await compareRows(clickhouse, { table: 'cube' }, { ...part, since })))
  return problems
}

async function checkFlows(series: Series, hours: readonly Hour[], range: Range): Promise<CheckResult> {
  const { filled, until } = await flowProgress(series.postgres)
  const problems: Problem[] = []
  const check = async (kept: Range) => {
    for (const part of cover(split(hours, 3600, kept, mostElements), kept)) {
      const parameters = { ...part, longest: series.longestPair }
      problems.push(...(await compareRows(series.clickhouse, { table: 'flows', seconds: 3600 }, parameters)))
    }
  }
  const kept = wholeBuckets(3600, observedPart(range, series.since))
  const left = { from: Math.max(kept.from, until), to: Math.min(kept.to, filled) }
  if (left.from >= left.to) await check(kept)
  else
    for (const part of [
      { ...kept, to: left.from },
      { ...kept, from: left.to },
    ])
      await check(part)
  return { problems, not_checked: unfilled(left, 'flows') }
}

async function checkTerms(series: Series, hours: readonly Hour[], range: Range): Promise<Problem[]> {
  const problems: Problem[] = []
  const kept = await comparablePart(series, range)
  for (const part of cover(split(hours, 3600, kept), kept)) {
    const parameters = { ...part, since: observedSince(series.since) }
    problems.push(...(await compareRows(series.clickhouse, { table: 'terms', seconds: 1 }, parameters)))
  }
  return problems
}

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
