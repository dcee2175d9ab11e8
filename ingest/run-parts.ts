import type { Stores } from '../platform/stores/stores.ts'
import type { CheckPart, CheckResult } from './problems.ts'
import { holdSeries, readSeries, type SeriesReader } from './write-series.ts'

interface Progress {
  /** Number of finished and skipped parts. */
  done: number
  parts: number
}

interface RunOptions {
  /** The parts to skip. If the check now has another number of parts, it skips none. */
  skip?: Progress
  /** Called after each part. */
  onPart?: (result: CheckResult, progress: Progress) => Promise<void>
  /** Called after each part. True: run no further part. */
  isOver?: () => boolean
}

/** Runs the parts of a check one after the other. Other processes may write to the series meanwhile. */
export async function runParts(
  stores: Stores,
  list: (series: SeriesReader) => Promise<CheckPart[]>,
  { skip, onPart = async () => {}, isOver = () => false }: RunOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const parts = await list(await readSeries(stores))
  const first = skip?.parts === parts.length ? skip.done : 0
  for (const part of parts.slice(first)) {
    const result = await runPart(stores, part)
    results.push(result)
    await onPart(result, { done: first + results.length, parts: parts.length })
    if (isOver()) break
  }
  return results
}

/**
 * Runs a part beside writers first, since a check that waited for them would hardly advance while a history is being filled. Rows that
 * equal the computed ones are right whatever is written next: what changes later is checked again. A difference may come from a
 * half-written slot, so the part then runs again while no other process writes.
 */
async function runPart(stores: Stores, part: CheckPart): Promise<CheckResult> {
  const series = await readSeries(stores)
  const result = await part(series).catch(() => undefined)
  return result?.problems.length === 0 ? result : holdSeries(stores, part)
}

export const joinResults = (results: readonly CheckResult[]): CheckResult => ({
  problems: results.flatMap(({ problems }) => problems),
  not_checked: results.flatMap(({ not_checked }) => not_checked),
})
