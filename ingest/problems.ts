import type { Range } from './ranges.ts'
import type { Series } from './write-series.ts'

/** Something that is wrong in a range of the series. */
export interface Problem extends Range {
  table: string
  /** What is wrong, and where. */
  problem: string
  /** The command after which the next check is clean. */
  fix: string
}

/** A range of the series that the check left out. */
export interface NotChecked extends Range {
  reason: string
}

export interface CheckResult {
  problems: Problem[]
  not_checked: NotChecked[]
}

/** A part of a check. It runs while nobody else writes to the series; between two parts, others may. */
export type CheckPart = (series: Series) => Promise<CheckResult>

/** The result of a part that looked at rows only, or only noted what a later part tells. */
export const resultOf = (problems: Problem[] = []): CheckResult => ({ problems, not_checked: [] })

export const rebuild = ({ from, to }: Range): string => `rackrate rollup --rebuild --from ${from} --to ${to}`

export const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const countText = (count: number, what: string): string =>
  count === 1 ? `1 ${what}` : `${count} ${what}s`

/** Cuts `items` (in order of time) where more than `gap` seconds are between two of them. */
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
