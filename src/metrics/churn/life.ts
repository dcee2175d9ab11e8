import type { Life } from '../../../contract/churn.ts'

/** Machines with the same age in days when they were first watched, and when they left or were last watched. */
export interface Watched {
  from: number
  to: number
  left: boolean
  machines: number
}

/**
 * Kaplan–Meier with delayed entry: at each age at which machines left, the share of those watched at that age that stayed. The interval is
 * Greenwood's at 95 %.
 */
export function lifeOf(watched: readonly Watched[]): Life {
  const sum = (among: readonly Watched[]) => among.reduce((total, { machines }) => total + machines, 0)
  const ended = watched.filter(({ left }) => left)
  const life: Life = {
    ...{ machines: sum(watched), left: sum(ended), median_days: null },
    ...{ days: [], share: [], low: [], high: [] },
  }
  let share = 1
  let variance = 0
  for (const age of [...new Set(ended.map(({ to }) => to))].sort((a, b) => a - b)) {
    const atRisk = sum(watched.filter(({ from, to }) => from < age && to >= age))
    const leaving = sum(ended.filter(({ to }) => to === age))
    share *= 1 - leaving / atRisk
    variance += leaving < atRisk ? leaving / (atRisk * (atRisk - leaving)) : 0
    const width = 1.96 * share * Math.sqrt(variance)
    life.days.push(age)
    life.share.push(share)
    life.low.push(Math.max(0, share - width))
    life.high.push(Math.min(1, share + width))
    if (share <= 0.5) life.median_days ??= age
  }
  return life
}
