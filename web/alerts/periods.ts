import type { AlertTried } from '../../contract/alerts.ts'

/** The periods in which the rule would have fired. One that has not ended lasts until the end of the trial. */
export function periodsOf({ entries, to }: Pick<AlertTried, 'entries' | 'to'>) {
  return entries.flatMap(({ what, slot }, index) => {
    if (what !== 'fired') return []
    const end = entries.slice(index + 1).find((later) => later.what === 'resolved')
    return [{ from: slot, to: end?.slot ?? to }]
  })
}
