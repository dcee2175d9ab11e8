import type { Life } from '../../../contract/churn.ts'
import { type ObservedSpell, survivalOf } from '../survival.ts'

/** The lifetime of machines on the market, from their ages in days. */
export function lifeOf(watched: readonly ObservedSpell[]): Life {
  const count = (among: readonly ObservedSpell[]) => among.reduce((sum, { subjects }) => sum + subjects, 0)
  const { median, ages, ...shares } = survivalOf(watched)
  return {
    machines: count(watched),
    left: count(watched.filter(({ happened }) => happened)),
    median_days: median,
    days: ages,
    ...shares,
  }
}
