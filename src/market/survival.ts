/** Subjects that were first observed at the same age, and had their event (or were last observed) at the same age. */
export interface ObservedSpell {
  from: number
  to: number
  happened: boolean
  subjects: number
}

/** The share without an event, by age. */
export interface Survival {
  /** The age at which half of the subjects have had the event; null when fewer have. */
  median: number | null
  ages: number[]
  share: number[]
  low: number[]
  high: number[]
}

/**
 * Kaplan–Meier with delayed entry: at each age with an event, the share of the subjects observed at that age that had none. The
 * interval is Greenwood's at 95 %.
 */
export function survivalOf(watched: readonly ObservedSpell[]): Survival {
  const sum = (among: readonly ObservedSpell[]) => among.reduce((total, { subjects }) => total + subjects, 0)
  const ended = watched.filter(({ happened }) => happened)
  const survival: Survival = { median: null, ages: [], share: [], low: [], high: [] }
  let share = 1
  let variance = 0
  for (const age of [...new Set(ended.map(({ to }) => to))].sort((a, b) => a - b)) {
    const atRisk = sum(watched.filter(({ from, to }) => from < age && to >= age))
    const ending = sum(ended.filter(({ to }) => to === age))
    share *= 1 - ending / atRisk
    variance += ending < atRisk ? ending / (atRisk * (atRisk - ending)) : 0
    const width = 1.96 * share * Math.sqrt(variance)
    survival.ages.push(age)
    survival.share.push(share)
    survival.low.push(Math.max(0, share - width))
    survival.high.push(Math.min(1, share + width))
    if (share <= 0.5) survival.median ??= age
  }
  return survival
}
