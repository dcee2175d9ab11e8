import type { Range } from './ranges.ts'
import type { SeriesReader } from './write-series.ts'

/** A problem in a range of the series. */
export interface Problem extends Range {
  table: string
  /** The problem and its place, as a sentence. */
  problem: string
  /** The command after which the next check is clean. */
  fix: string
}

/** A range of the series that the check skipped. */
export interface NotChecked extends Range {
  reason: string
}

export interface CheckResult {
  problems: Problem[]
  not_checked: NotChecked[]
}

/** A part of a check. It may run twice: beside writers, and if it then found a problem, while no other process writes. */
export type CheckPart = (series: SeriesReader) => Promise<CheckResult>

/** The result of a part that only checks rows, or that records findings for a later part to report. */
export const resultOf = (problems: Problem[] = []): CheckResult => ({ problems, not_checked: [] })

export const rebuild = ({ from, to }: Range): string => `rackrate rollup --rebuild --from ${from} --to ${to}`

export const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const countText = (count: number, what: string): string =>
  count === 1 ? `1 ${what}` : `${count} ${what}s`

/** Splits `items` (in order of time) where the gap between two of them is longer than `gap` seconds. */
export function runs<Item>(items: readonly Item[], timeOf: (item: Item) => number, gap: number): Item[][] {
  const found: Item[][] = []
  for (const item of items) {
    const last = found.at(-1)
    const before = last?.at(-1)
    if (last && before !== undefined && timeOf(item) - timeOf(before) <= gap) last.push(item)
    else found.push([item])
  }
  return found
}
