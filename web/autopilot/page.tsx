import '../alerts/alerts.css'
import '../alerts/rule-form.css'
import '../components/say.css'
import './autopilot.css'
import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useUser } from '../api/queries.ts'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { useFleet } from '../machines/use-fleet.ts'
import { useActions, useRules, useSuggestions } from './api.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleRow } from './rule-row.tsx'
import { Suggestions } from './suggestions.tsx'

/** Rules that set prices of own machines: their suggestions, and the switch that stops all. */
export function AutopilotPage() {
  const [rules, suggestions, own] = [useRules(), useSuggestions(), useFleet()]
  /** The id of the rule in the form; undefined: a new one. */
  const changed = useSignal<number>()
  const user = useUser()
  const isAnswered = user.data !== undefined && !rules.isPending && !suggestions.isPending
  const found = rules.data?.rules
  const rule = found?.find(({ id }) => id === changed.value)
  return (
    <main id="content" tabIndex={-1} class="alerts autopilot">
      <PageHead title="Pricing" />
      <Status of={[rules, suggestions, own]} hasData={found !== undefined && own.data !== undefined} />
      {suggestions.data && found && found.length > 0 && <Switch stopped={suggestions.data.stopped} />}
      {found && found.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        <section class="rules" tabIndex={0} aria-label="Rules">
          <table>
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">Stage</th>
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map((one) => (
                <RuleRow key={one.id} rule={one} onChange={() => (changed.value = one.id)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {isAnswered && (
        <>
          {found && found.length > 0 && (
            <Suggestions suggestions={suggestions.data?.suggestions ?? []} rules={found} />
          )}
          <RuleForm
            key={rule?.id}
            rule={rule}
            address={user.data?.email ?? null}
            onLeave={() => (changed.value = undefined)}
          />
          <p class="note">
            No price is set below the floor of your costs, on old data, or on a class of few machines. A rule
            stops when somebody else changes a price. <Link href={pages.history}>History</Link> has every
            price that was set, with an undo.
          </p>
        </>
      )}
    </main>
  )
}

/** The switch that stops all rules at once. */
function Switch({ stopped }: { stopped: boolean }) {
  const { stop } = useActions()
  const failure = useSignal('')
  const press = () =>
    stop(!stopped).catch((error: Error) => {
      failure.value = error.message
    })
  return (
    <p>
      {stopped && <strong class="trouble">All rules are stopped. </strong>}
      <button type="button" class="secondary outline small" onClick={press}>
        {stopped ? 'Resume all' : 'Stop all'}
      </button>
      <output aria-live="polite">{failure.value}</output>
    </p>
  )
}
