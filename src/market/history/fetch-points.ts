import { ClickHouseError } from '@clickhouse/client'
import type { GpuHistory } from '../../../contract/history.ts'
import { floorTo, isHourly, ladder, ladderStepOf, slotStep, wholeBuckets } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import type { GpuName } from '../../../contract/names.ts'
import { type ClickHouse, selectColumns, selectRows } from '../../../platform/stores/clickhouse.ts'
import { atLeast, type SeriesQuestion } from '../market-query/resolve.ts'
import { seenOf } from '../market-query/seen.ts'
import { maxRowsToRead, pooledStep } from '../market-query/select.ts'
import { type Timeline, timelineOf } from '../market-query/timeline.ts'
import { assemble, type Performance, type Rows } from './align-points.ts'

/** The source of an answer. The slots and the names belong to the revision of the series. */
export interface HistorySource {
  clickhouse: ClickHouse
  slots: Uint32Array
  names: readonly GpuName[]
}

export interface HistoryResult {
  /** The step of the answer, which may be larger than the requested one. */
  step: number
  gpus: Record<string, GpuHistory>
}

/**
 * Answers a query from the cube if the step is on its ladder or each bucket holds one slot; otherwise computes the answer.
 * Data that queries share is read once per revision, so most queries need one statement, which reads their points.
 */
export async function queryHistory(source: HistorySource, question: SeriesQuestion): Promise<HistoryResult> {
  const { step } = question
  const timeline = timelineOf(source.slots, question)
  const newest = timeline.lastSlot.at(-1)
  if (question.known.length === 0 || newest === undefined) return { step, gpus: assemble(question, timeline) }

  const storedStep = storedStepFor(step, timeline)
  if (storedStep === undefined && !isHourly(step) && !question.observed)
    return queryHistory(source, raised(question))
  try {
    const counted_step = storedStep ?? countedStep(step)
    const last = floorTo(counted_step, newest)
    const points =
      storedStep === undefined
        ? await computed(source, question, { timeline, counted_step, last })
        : [await stored(source, question, { stored_step: storedStep, last })]
    const withRows = points.flatMap((rows) => rows.gpu_name)
    const seen = await seenOf(source, question, { withRows, stored_step: counted_step })
    const bucketOf = storedStep === slotStep ? timeline.lastSlot : timeline.start
    const performance = await performanceAt(source, question, { points, last, newest })
    return { step, gpus: assemble(question, timeline, { bucketOf, points, performance, seen }) }
  } catch (error) {
    if (!(error instanceof ClickHouseError && error.type === 'TOO_MANY_ROWS')) throw error
    return queryHistory(source, raised(question))
  }
}

/** The step of the cube whose rows are the answer; undefined: there is none. */
function storedStepFor(step: number, timeline: Timeline): number | undefined {
  if ((ladder as readonly number[]).includes(step)) return step
  return timeline.single ? slotStep : undefined
}

/** For a step that is not stored: the coarsest step of the cube that has its counts. */
const countedStep = (step: number): number => ladderStepOf(step) ?? slotStep

/** The same question at the next step whose answers are stored. */
function raised(question: SeriesQuestion): SeriesQuestion {
  const step = atLeast(ladder, question.step)
  return { ...question, step, ...wholeBuckets(step, question) }
}

const stored = (
  { clickhouse }: HistorySource,
  question: SeriesQuestion,
  of: { stored_step: number; last: number },
): Promise<Rows> => {
  const { from, to } = question
  return selectColumns<Rows>(clickhouse, 'history/stored', {
    names: question.known,
    ...filterOf(question),
    ...of,
    from,
    to,
  })
}

interface Counted {
  timeline: Timeline
  /** The step of the cube's rows that have the counts, and the bucket of the last one. */
  counted_step: number
  last: number
}

/** Pools prices over the whole bucket, and takes the counts of its last slot from the cube. */
async function computed(
  { clickhouse }: HistorySource,
  question: SeriesQuestion,
  { timeline, counted_step, last }: Counted,
): Promise<Rows[]> {
  const { step, from, to } = question
  const pooled_step = isHourly(step) ? pooledStep(step) : 0
  const parameters = { names: question.known, ...filterOf(question), step, from, to }
  const limit = { max_rows_to_read: String(maxRowsToRead) }
  const [prices, counts] = await Promise.all([
    selectColumns<Rows>(clickhouse, 'history/prices', { ...parameters, pooled_step }, limit),
    selectColumns<Rows & { counted: number[] }>(
      clickhouse,
      'history/counts',
      { ...parameters, counted_step, last },
      limit,
    ),
  ])
  // A GPU that had left the market before the bucket's last slot has an older row, which does not count.
  const lastSlot = new Map(timeline.start.map((start, index) => [start, timeline.lastSlot[index] ?? 0]))
  const start = counts.start.map((bucket, row) =>
    counts.counted[row] === floorTo(counted_step, lastSlot.get(bucket) ?? 0) ? bucket : -1,
  )
  return [prices, { ...counts, start }]
}

/**
 * The performance of GPUs at the newest slot. It is in the rows of the last bucket; rows written by earlier releases lack it and are queried
 * separately.
 */
async function performanceAt(
  { clickhouse }: HistorySource,
  question: SeriesQuestion,
  { points, last, newest }: { points: readonly Rows[]; last: number; newest: number },
): Promise<ReadonlyMap<string, Performance>> {
  const found = new Map<string, Performance>()
  const lacking: string[] = []
  for (const { gpu_name, start, counted = start, performance = [] } of points)
    performance.forEach((here, row) => {
      const name = gpu_name[row]
      if (name === undefined || counted[row] !== last) return
      if (here.length > 0) found.set(name, here as Performance)
      else lacking.push(name)
    })
  if (lacking.length === 0) return found
  const query = 'history/latest'
  const parameters = { names: lacking, ...filterOf(question), slot: newest }
  const rows = await selectRows<{ gpu_name: string; performance: Performance }>(clickhouse, query, parameters)
  for (const { gpu_name, performance } of rows) found.set(gpu_name, performance)
  return found
}
