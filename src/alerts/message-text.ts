import type { AlertEntry } from '../../contract/alerts.ts'

/** The messages of a rule at a slot. */
export interface RuleText {
  name: string
  source: string | null
  entries: readonly AlertEntry[]
}

/** The name of a rule and its messages, each in a line. */
export const linesOf = ({ name, source, entries }: RuleText): string[] => [
  source === null ? name : `${name} (${source})`,
  ...entries.map(({ what, text }) => `  ${what === 'fired' ? 'Alert' : 'Resolved'}: ${text}`),
]
