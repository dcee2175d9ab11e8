import type { AlertRule } from '../../contract/alerts.ts'
import { useMessages } from './api.ts'
import { RuleRow } from './rule-row.tsx'

interface RuleTableProps {
  rules: readonly AlertRule[]
  /** Puts a rule into the form; undefined: the form is elsewhere. */
  onChange?: (id: number) => void
}

/** Rules with their state, their last alert and their ways. */
export function RuleTable({ rules, onChange }: RuleTableProps) {
  const { data: messages = [] } = useMessages()
  const lastOf = (id: number) =>
    messages.find(({ rule_id, entries }) => rule_id === id && entries.some(({ what }) => what === 'fired'))
      ?.slot
  return (
    <section class="rules" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">State</th>
            <th scope="col" class="need-2">
              Last
            </th>
            <th scope="col">Told by</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} last={lastOf(rule.id)} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </section>
  )
}
