import { useSignal } from '@preact/signals'
import type { AlertRule } from '../../contract/alerts.ts'
import { chatServiceOf, chatServices } from '../../contract/chat-services.ts'
import { day } from '../../contract/durations.ts'
import { present } from '../clock.ts'
import { dateTime } from '../format.ts'
import { type Tested, useActions } from './api.ts'
import { describe } from './words.ts'

/** The button that puts a rule into the form: the focus returns to it. */
export const changeId = (id: number) => `change-${id}`

/** A rule, its state, and its actions. */
export function RuleRow({ rule, onChange }: { rule: AlertRule; onChange: () => void }) {
  const { silence, test, remove } = useActions()
  const said = useSignal('')
  const { id, name, condition, silenced_until } = rule
  /** Shows the result of an action: its text, if it has one, or the reason of its failure. */
  const act = (work: Promise<unknown>) =>
    work.then(
      (text) => {
        said.value = typeof text === 'string' ? text : ''
      },
      (error: Error) => {
        said.value = error.message
      },
    )
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <br />
        <span class="quiet">
          {describe(condition)}
          {rule.source !== null && `, at ${rule.source}`}
        </span>
        {rule.has_data === false && <span class="quiet">. The market has no such GPU so far</span>}
      </th>
      <td>
        <State rule={rule} />
      </td>
      <td>{deliveryOf(rule)}</td>
      <td class="actions">
        <button
          type="button"
          class="secondary outline small"
          id={changeId(id)}
          aria-label={`Change: ${name}`}
          onClick={onChange}
        >
          Change
        </button>
        {silenced_until === null ? (
          <button
            type="button"
            class="secondary outline small"
            onClick={() => act(silence(id, Math.floor(present()) + day))}
            aria-label={`Silence for a day: ${name}`}
          >
            Silence for a day
          </button>
        ) : (
          <button
            type="button"
            class="secondary outline small"
            onClick={() => act(silence(id, null))}
            aria-label={`End silence: ${name}`}
          >
            End silence
          </button>
        )}
        {(rule.email || rule.webhook_url) && (
          <button
            type="button"
            class="secondary outline small"
            aria-label={`Test: ${name}`}
            onClick={() => act(test(id).then(wordsOf))}
          >
            Test
          </button>
        )}
        <button
          type="button"
          class="secondary outline small"
          aria-label={`Delete: ${name}`}
          onClick={() => confirm(`Delete the rule “${name}”?`) && act(remove(id))}
        >
          Delete
        </button>
        <output aria-live="polite">{said.value}</output>
      </td>
    </tr>
  )
}

function State({ rule: { status, stop_reason, firing, silenced_until } }: { rule: AlertRule }) {
  const [first] = firing
  return (
    <>
      {status === 'stopped' && (
        <>
          <span class="chip warn">Stopped</span> <span class="quiet">{stop_reason}</span>
        </>
      )}
      {status === 'firing' && (
        <>
          <span class="chip bad">Firing</span>{' '}
          <span class="quiet">
            {first && `since ${dateTime(first.since)}`}
            {firing.length > 1 && `, ${firing.length} machines`}
          </span>
        </>
      )}
      {status === 'ok' && <span class="chip">Watching</span>}
      {silenced_until !== null && <span class="quiet"> Silent until {dateTime(silenced_until)}</span>}
    </>
  )
}

function deliveryOf({ email, webhook_url, webhook_gone }: AlertRule): string {
  const hook = webhook_url && `${receiverOf(webhook_url)}${webhook_gone ? ' (gone)' : ''}`
  return email || hook
    ? [email && 'mail', hook, 'feed'].filter(Boolean).join(', ')
    : 'Feed only: nobody is notified'
}

/** The chat service of an address, else its host. */
function receiverOf(url: string): string {
  const chat = chatServiceOf(url)
  return chat ? chatServices[chat].title : new URL(url).host
}

function wordsOf({ email, webhook }: Tested): string {
  const words = []
  if (email) words.push('Mail is on its way.')
  if (webhook?.delivered) words.push('The webhook answered.')
  else if (webhook) words.push(`The webhook did not take it: ${webhook.status ?? 'no answer'}.`)
  return words.join(' ')
}
