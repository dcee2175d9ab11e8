import './alerts.css'
import '../components/say.css'
import { useSignal } from '@preact/signals'
import { useUser } from '../api/queries.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { dateTime } from '../format.ts'
import { useMessages, useRules } from './api.ts'
import { Feed } from './feed.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleRow } from './rule-row.tsx'

/** The visitor's rules, and their recent messages. */
export function AlertsPage() {
  const rules = useRules()
  const messages = useMessages()
  /** The id of the rule in the form; undefined: a new one. */
  const changed = useSignal<number>()
  const user = useUser()
  const isAnswered = !rules.isPending && !messages.isPending && user.data !== undefined
  const rule = rules.data?.find(({ id }) => id === changed.value)
  return (
    <main id="content" tabIndex={-1} class="alerts">
      <PageHead title="Alerts">
        {user.data?.email && (
          <span class="quiet address">
            <Icon outline={outlines.mail} />
            {user.data.email}
          </span>
        )}
      </PageHead>
      <Status of={[rules, messages]} hasData={rules.data !== undefined} />
      {/* Shown only after the content above it, so that it does not move. */}
      {isAnswered && (
        <>
          <RuleForm
            key={rule?.id}
            rule={rule}
            address={user.data?.email ?? null}
            onLeave={() => {
              changed.value = undefined
            }}
          />
          {rules.data && rules.data.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
            <section class="rules" tabIndex={0} aria-label="Rules">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Rule</th>
                    <th scope="col">State</th>
                    <th scope="col">Told by</th>
                    <th scope="col">
                      <span class="unseen">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rules.data.map((rule) => (
                    <RuleRow key={rule.id} rule={rule} onChange={() => (changed.value = rule.id)} />
                  ))}
                </tbody>
              </table>
            </section>
          )}
          <div class="pair">
            <section class="card pad" aria-labelledby="said">
              <h2 id="said">Recent messages</h2>
              {messages.data?.length === 0 && <p class="quiet">None yet.</p>}
              <ul class="said">
                {messages.data?.map(({ id, name, slot, entries, webhook, webhook_status }) => (
                  <li key={id}>
                    <time dateTime={new Date(slot * 1000).toISOString()}>{dateTime(slot)}</time>{' '}
                    <strong>{name}</strong>{' '}
                    {webhook && webhook !== 'delivered' && (
                      <span class="quiet">
                        (webhook {webhook}
                        {webhook_status !== null && `, answered ${webhook_status}`})
                      </span>
                    )}
                    {entries.map(({ what, text }) => (
                      <div key={text}>
                        {what === 'fired' ? 'Alert' : 'Resolved'}: {text}
                      </div>
                    ))}
                  </li>
                ))}
              </ul>
            </section>
            <Feed />
          </div>
          <p class="note">
            Rules are evaluated at every market snapshot. Each sends one message when it fires and one when it
            resolves. Messages are deleted after 90 days.
          </p>
        </>
      )}
    </main>
  )
}
