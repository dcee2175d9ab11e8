import type { Stores } from '../platform/stores/stores.ts'
import type { CheckPart, CheckResult } from './problems.ts'
import { holdSeries, type Series } from './write-series.ts'

interface Progress {
  /** Number of finished and skipped parts. */
  done: number
  parts: number
}

interface RunOptions {
  /** Number of parts to skip. */
  skip?: number
  /** Called after each part, while the series is held. */
  onPart?: (result: CheckResult, progress: Progress, series: Series) => Promise<void>
  /** Called after each part. True: run no further part. */
  isOver?: () => boolean
  /**
   * A check of months takes many minutes. After this time a waiting writer, such as the load of a new slot, runs once the current
   * part has ended.
   */
  longestHoldMs?: number | undefined
}

/** The longest hold of a check that had to wait, so that a slot is not loaded much later. */
const mostMs = 30_000

/**
 * The time for which a check holds the series after it waited for it: at least as long as it waited. While a history is being filled,
 * other writers hold it most of the time, and a check with a time limit would only wait.
 */
export const holdAfter = (waitedMs: number, longestHoldMs: number): number =>
  Math.max(longestHoldMs, Math.min(waitedMs, mostMs))

/** Runs the parts of a check one after the other. No other process writes to the series during a part. */
export async function runParts(
  stores: Stores,
  list: (series: Series) => Promise<CheckPart[]>,
  { skip = 0, onPart = async () => {}, isOver = () => false, longestHoldMs = 5000 }: RunOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  let parts: CheckPart[] | undefined
  let isStopped = false
  while (!isStopped && (!parts || skip + results.length < parts.length)) {
    const begun = performance.now()
    await holdSeries(stores, async (series) => {
      const now = performance.now()
      const until = now + holdAfter(now - begun, longestHoldMs)
      parts ??= await list(series)
      for (const part of parts.slice(skip + results.length)) {
        const result = await part(series)
        results.push(result)
        const progress = { done: skip + results.length, parts: parts.length }
        await onPart(result, progress, series)
        isStopped = isOver()
        if (isStopped || performance.now() > until) return
      }
    })
  }
  return results
}

export const joinResults = (results: readonly CheckResult[]): CheckResult => ({
  problems: results.flatMap(({ problems }) => problems),
  not_checked: results.flatMap(({ not_checked }) => not_checked),
})
