import './alerts.css'
import './rule-form.css'
import '../components/say.css'
import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import type { AlertRule } from '../../contract/alerts.ts'
import { useUser } from '../api/queries.ts'
import { Icon } from '../components/icon.tsx'
import { NoData } from '../components/no-data.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { counted } from '../format.ts'
import { useMessages, useRules } from './api.ts'
import { Delivery } from './delivery.tsx'
import { Messages } from './messages.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleTable } from './rule-table.tsx'
import { tabHref, tabLinks, useTab } from './tabs.ts'

/** The visitor's rules, their messages, and the ways that these take. */
export function AlertsPage() {
  const tab = useTab()
  const rules = useRules()
  const messages = useMessages()
  const user = useUser()
  const address = user.data?.email ?? null
  const isAnswered = !rules.isPending && !messages.isPending && user.data !== undefined
  return (
    <main id="content" tabIndex={-1} class="alerts">
      <PageHead title="Alerts" tabs={tabLinks(tab, rules.data)}>
        {address !== null && tab !== 'delivery' && (
          <Link
            class="outline"
            role="button"
            href={tabHref('delivery')}
            aria-label={`Delivery to ${address}`}
          >
            <Icon outline={outlines.mail} />
            {address}
          </Link>
        )}
      </PageHead>
      <Status of={[rules, messages]} hasData={rules.data !== undefined} />
      {/* Shown only after the content above it, so that it does not move. */}
      {isAnswered && tab === 'rules' && <Rules rules={rules.data ?? []} address={address} />}
      {isAnswered && tab === 'firing' && (
        <>
          <Firing rules={rules.data ?? []} />
          <Messages messages={messages.data ?? []} />
        </>
      )}
      {isAnswered && tab === 'delivery' && <Delivery rules={rules.data ?? []} address={address} />}
    </main>
  )
}

/** The form of a new rule, or of the one that is changed, above all rules. */
function Rules({ rules, address }: { rules: readonly AlertRule[]; address: string | null }) {
  /** The id of the rule in the form; undefined: a new one. */
  const changed = useSignal<number>()
  const rule = rules.find(({ id }) => id === changed.value)
  return (
    <>
      <RuleForm
        key={rule?.id}
        rule={rule}
        address={address}
        onLeave={() => {
          changed.value = undefined
        }}
      />
      {rules.length > 0 && <RuleTable rules={rules} onChange={(id) => (changed.value = id)} />}
      <p class="note">
        Rules are evaluated at every market snapshot. Each sends one message when it fires and one when it
        resolves.
      </p>
    </>
  )
}

/** The rules that fire now. */
function Firing({ rules }: { rules: readonly AlertRule[] }) {
  const firing = rules.filter(({ status }) => status === 'firing')
  if (firing.length > 0) return <RuleTable rules={firing} />
  return (
    <section class="card">
      <NoData icon={outlines.bell} title="Nothing fires now">
        <p>
          {rules.length === 0
            ? 'An alert reaches you when a price moves, or a machine of yours needs you.'
            : `${counted(rules.length, 'rule')} ${rules.length === 1 ? 'is' : 'are'} evaluated at every market snapshot.`}
        </p>
        <Link class={rules.length === 0 ? undefined : 'outline'} role="button" href={tabHref('rules')}>
          {rules.length === 0 ? 'Make an alert' : 'See the rules'}
        </Link>
      </NoData>
    </section>
  )
}
