import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AlertBody, AlertRule, AlertTried } from '../../contract/alerts.ts'
import { useSources } from '../api/sources.ts'
import { Failure } from '../components/failure.tsx'
import { Select } from '../components/select.tsx'
import { WebhookSecret } from '../components/webhook-secret.tsx'
import { dateTime } from '../format.ts'
import { source } from '../source.ts'
import { useActions } from './api.ts'
import { conditionOf } from './asked.ts'
import { ConditionFields } from './condition-fields.tsx'
import { changeId } from './rule-row.tsx'
import { describe, kinds, presets } from './words.ts'

const days = 30
const mostTimes = 20

interface RuleFormProps {
  /** The rule to change; undefined: a new rule. */
  rule: AlertRule | undefined
  /** Called when the form is left. */
  onLeave: () => void
}

const blank: AlertBody = {
  source: source ?? null,
  name: '',
  condition: presets.machine_price,
  email: false,
  webhook_url: null,
}

/** The state of the form, and its actions. */
function useRuleForm(rule: AlertRule | undefined) {
  const { create, change: replace, attempt } = useActions()
  const draft = useSignal<AlertBody>(
    rule ? bodyOf(rule) : { ...blank, condition: conditionOf(location.search) ?? blank.condition },
  )
  const tried = useSignal<AlertTried | undefined>(undefined)
  const secret = useSignal<string | null>(null)
  const said = useSignal('')
  const failure = useSignal('')
  const busy = useSignal(false)
  const change = (changes: Partial<AlertBody>) => {
    draft.value = { ...draft.value, ...changes }
    if (changes.condition || changes.source !== undefined) tried.value = undefined
  }

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy.value) return // a double click makes one rule
    busy.value = true
    failure.value = ''
    said.value = ''
    await work().catch((error: Error) => {
      failure.value = error.message
    })
    busy.value = false
  }
  const save = () =>
    run(async () => {
      const { name, condition } = draft.value
      const body = { ...draft.value, name: name.trim() || describe(condition).slice(0, 100) }
      const answer = await (rule ? replace(rule.id, body) : create(body))
      secret.value = answer.webhook_secret
      said.value = `The rule “${answer.rule.name}” was ${rule ? 'changed' : 'created'}. It is evaluated from the next snapshot on.`
      if (!rule) change({ name: '', webhook_url: null })
    })
  const tryIt = () =>
    run(async () => {
      const { condition, source } = draft.value
      const answer = await attempt({ source, condition, days })
      if (draft.value.condition === condition && draft.value.source === source) tried.value = answer
    })
  return { draft, tried, secret, said, failure, busy, change, save, tryIt }
}

/** Makes a rule or changes one, and tries it on past data before. */
export function RuleForm({ rule, onLeave }: RuleFormProps) {
  const { draft, tried, secret, said, failure, busy, change, save, tryIt } = useRuleForm(rule)
  const { condition } = draft.value
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!rule) return
    heading.current?.scrollIntoView({ block: 'nearest' })
    heading.current?.focus()
  }, [])
  function leave(): void {
    if (rule) document.getElementById(changeId(rule.id))?.focus()
    onLeave()
  }

  return (
    <section aria-labelledby="rule-form">
      <h2 id="rule-form" ref={heading} tabIndex={-1}>
        {rule ? `Change “${rule.name}”` : 'New rule'}
      </h2>
      <form
        class="rule"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div class="filters">
          <Select
            label="Notify me when"
            value={condition.kind}
            options={kinds}
            onChange={(kind) => change({ condition: presets[kind] })}
          />
          <SourceField source={draft.value.source} onChange={(source) => change({ source })} />
          <ConditionFields
            source={draft.value.source}
            condition={condition}
            onChange={(next) => change({ condition: next })}
          />
        </div>
        <div class="filters">
          <DeliveryFields body={draft.value} onChange={change} />
          <button type="button" class="secondary outline" aria-busy={busy.value} onClick={tryIt}>
            Try on {days} days
          </button>
          <button type="submit">{rule ? 'Save changes' : 'Create rule'}</button>
          {rule && (
            <button type="button" class="secondary outline" onClick={leave}>
              Close
            </button>
          )}
        </div>
        {rule && (
          <p class="note">
            A changed condition or market resets the rule. A new webhook address gets a new secret.
          </p>
        )}
      </form>
      <Failure text={failure.value} />
      <output aria-live="polite">{said.value}</output>
      <WebhookSecret secret={secret} />
      {tried.value && <Tried tried={tried.value} />}
    </section>
  )
}

/** The fields of a rule that the API accepts. */
const bodyOf = ({ name, source, condition, email, webhook_url }: AlertRule): AlertBody => ({
  name,
  source,
  condition,
  email,
  webhook_url,
})

interface SourceProps {
  source: string | null
  onChange: (source: string | null) => void
}

/** The market that the rule watches. Shown if the site records several. */
function SourceField({ source: chosen, onChange }: SourceProps) {
  const { data: sources = [] } = useSources()
  const [first] = sources
  if (first === undefined || sources.length === 1) return null
  return (
    <Select
      label="Market"
      value={chosen ?? first.name}
      options={sources.map(({ name }) => [name, name] as const)}
      onChange={(name) => onChange(name === first.name ? null : name)}
    />
  )
}

interface DeliveryProps {
  body: AlertBody
  onChange: (changes: Partial<AlertBody>) => void
}

/** The name of a rule, and the destinations of its messages. */
const DeliveryFields = ({ body: { name, condition, email, webhook_url }, onChange }: DeliveryProps) => (
  <>
    <label>
      Name
      <input
        value={name}
        maxLength={100}
        placeholder={describe(condition)}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
    </label>
    <label>
      Webhook
      <input
        type="url"
        value={webhook_url ?? ''}
        maxLength={2000}
        placeholder="https://…, or none"
        onInput={({ currentTarget: { value } }) => onChange({ webhook_url: value || null })}
      />
    </label>
    <label>
      <input type="checkbox" checked={email} onChange={() => onChange({ email: !email })} /> Email me
    </label>
  </>
)

/** The messages that a rule would have sent. */
function Tried({ tried: { fired, slots, from, entries } }: { tried: AlertTried }) {
  const times =
    fired === 0 ? 'would not have fired' : `would have fired ${fired === 1 ? 'once' : `${fired} times`}`
  return (
    <div role="status">
      <p>
        <strong>It {times}</strong> at {slots} snapshots since {dateTime(from)}.
      </p>
      {entries.length > 0 && (
        <ul class="said">
          {entries.slice(-mostTimes).map(({ slot, what, text }) => (
            <li key={`${slot} ${text}`}>
              <time dateTime={new Date(slot * 1000).toISOString()}>{dateTime(slot)}</time>{' '}
              {what === 'fired' ? 'Alert' : 'Resolved'}: {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
