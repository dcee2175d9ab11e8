import { useSignal } from '@preact/signals'
import type { AlertRule } from '../../contract/alerts.ts'
import { chatServiceOf, chatServices } from '../../contract/chat-services.ts'
import { day } from '../../contract/durations.ts'
import { present } from '../clock.ts'
import { Dropdown } from '../components/dropdown.tsx'
import { dateTime } from '../format.ts'
import { type Tested, useActions } from './api.ts'
import { describe } from './words.ts'

/** The cell of a rule's actions: the focus returns to its menu after a change. */
export const changeId = (id: number) => `change-${id}`

interface RuleRowProps {
  rule: AlertRule
  /** The snapshot of its last alert; undefined: none in the messages that are kept. */
  last: number | undefined
  onChange: ((id: number) => void) | undefined
}

/** A rule, its state, and a menu of its actions. */
export function RuleRow({ rule, last, onChange }: RuleRowProps) {
  const { silence, test, remove } = useActions()
  const said = useSignal('')
  const { id, name, condition, silenced_until, firing } = rule
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
  const actions: [string, () => unknown][] = [
    ...(onChange ? [['Change', () => onChange(id)] satisfies [string, () => unknown]] : []),
    silenced_until === null
      ? ['Silence for a day', () => act(silence(id, Math.floor(present()) + day))]
      : ['End silence', () => act(silence(id, null))],
    ...(rule.email || rule.webhook_url
      ? [['Test', () => act(test(id).then(wordsOf))] satisfies [string, () => unknown]]
      : []),
    ['Delete', () => confirm(`Delete the rule “${name}”?`) && act(remove(id))],
  ]
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {name !== describe(condition) && <span class="quiet">{describe(condition)}</span>}
        {rule.source !== null && <span class="quiet">Market: {rule.source}</span>}
        {rule.has_data === false && <span class="quiet">The market has no such GPU so far</span>}
      </th>
      <td>
        <State rule={rule} />
      </td>
      <td class="need-2 quiet">
        {firing[0] ? `since ${dateTime(firing[0].since)}` : last ? dateTime(last) : 'never'}
      </td>
      <td class={rule.email || rule.webhook_url ? undefined : 'warn'}>{deliveryOf(rule)}</td>
      <td class="menu" id={changeId(id)}>
        <Dropdown label="⋯" name={`Actions: ${name}`}>
          {(close) =>
            actions.map(([label, press]) => (
              <button
                key={label}
                type="button"
                class="plain"
                aria-label={`${label}: ${name}`}
                onClick={() => {
                  close()
                  press()
                }}
              >
                {label}
              </button>
            ))
          }
        </Dropdown>
        <output aria-live="polite">{said.value}</output>
      </td>
    </tr>
  )
}

function State({ rule: { status, stop_reason, firing, silenced_until } }: { rule: AlertRule }) {
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
          {firing.length > 1 && <span class="quiet">{firing.length} machines</span>}
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
    : 'Feed only: no message is sent'
}

/** The chat service of an address, else its host. */
export function receiverOf(url: string): string {
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
