import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AlertBody, AlertRule } from '../../contract/alerts.ts'
import { toError } from '../../contract/failure.ts'
import { Failure } from '../components/failure.tsx'
import { Select } from '../components/select.tsx'
import { WebhookSecret } from '../components/webhook-secret.tsx'
import { source } from '../source.ts'
import { useActions } from './api.ts'
import { conditionOf } from './asked.ts'
import { ConditionFields } from './condition-fields.tsx'
import { MoreFields, SourceField } from './more-fields.tsx'
import { Preview } from './preview.tsx'
import { changeId } from './rule-row.tsx'
import { useTried } from './use-tried.ts'
import { describe, kinds, presets, restsWith } from './words.ts'

interface RuleFormProps {
  /** The rule to change; undefined: a new rule. */
  rule: AlertRule | undefined
  /** The address to which alerts can be mailed; null: there is none. */
  address: string | null
  /** Called when the form is left. */
  onLeave: () => void
}

const blank: AlertBody = {
  source: source ?? null,
  name: '',
  condition: presets.statistic,
  email: false,
  webhook_url: null,
}

/** The state of the form, and its actions. */
function useRuleForm({ rule, address }: Pick<RuleFormProps, 'rule' | 'address'>) {
  const { create, change: replace } = useActions()
  const fresh = { ...blank, email: address !== null }
  const draft = useSignal<AlertBody>(
    rule ? bodyOf(rule) : { ...fresh, condition: conditionOf(location.search) ?? fresh.condition },
  )
  const secret = useSignal<string | null>(null)
  const said = useSignal('')
  const failure = useSignal('')
  const busy = useSignal(false)
  const change = (changes: Partial<AlertBody>) => {
    draft.value = { ...draft.value, ...changes }
  }

  async function save(): Promise<void> {
    if (busy.value) return // a double click makes one rule
    busy.value = true
    failure.value = ''
    said.value = ''
    try {
      const { name, condition } = draft.value
      const body = { ...draft.value, name: name.trim() || describe(condition).slice(0, 100) }
      const answer = await (rule ? replace(rule.id, body) : create(body))
      secret.value = answer.webhook_secret
      said.value = `The rule “${answer.rule.name}” was ${rule ? 'changed' : 'created'}. It is evaluated from the next snapshot on.`
      if (!rule) change({ name: '', webhook_url: null })
    } catch (error) {
      failure.value = toError(error).message
    }
    busy.value = false
  }
  return { draft, secret, said, failure, busy, change, save }
}

/** Makes a rule or changes one: a sentence with values, and its preview on the past. */
export function RuleForm({ rule, address, onLeave }: RuleFormProps) {
  const { draft, secret, said, failure, busy, change, save } = useRuleForm({ rule, address })
  const { condition } = draft.value
  const trial = useTried(draft.value)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!rule) return
    heading.current?.scrollIntoView({ block: 'nearest' })
    heading.current?.focus()
  }, [])
  function leave(): void {
    if (rule) document.getElementById(changeId(rule.id))?.querySelector('summary')?.focus()
    onLeave()
  }

  return (
    <form
      class="rule-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <section aria-labelledby="rule-form" class="card rule">
        <h2 id="rule-form" ref={heading} tabIndex={-1}>
          {rule ? `Change “${rule.name}”` : 'New alert'}
        </h2>
        <div class="say">
          Tell me when{' '}
          <ConditionFields
            now={trial.now}
            condition={condition}
            onChange={(next) => change({ condition: next })}
          />
          <Delivery body={draft.value} address={address} onChange={change} />.
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own */}
        <div class="presets" role="group" aria-label="Start from">
          <span class="quiet">Or start from</span>
          {kinds.map(([kind, words]) => (
            <button
              key={kind}
              type="button"
              class="chip"
              aria-pressed={condition.kind === kind}
              onClick={() => change({ condition: presets[kind] })}
            >
              {words}
            </button>
          ))}
        </div>
        <div class="filters">
          <SourceField source={draft.value.source} onChange={(source) => change({ source })} />
        </div>
        <MoreFields body={draft.value} onChange={change} />
        {rule && (
          <p class="note">
            A changed condition or market resets the rule. A new webhook address gets a new secret.
          </p>
        )}
      </section>
      <Preview source={draft.value.source} condition={condition} trial={trial}>
        <div class="actions-of-form">
          {rule && (
            <button type="button" class="outline" onClick={leave}>
              Close
            </button>
          )}
          <button type="submit" aria-busy={busy.value}>
            {rule ? 'Save changes' : 'Create the alert'}
          </button>
        </div>
        <Failure text={failure.value} />
        <output aria-live="polite">{said.value}</output>
        <WebhookSecret secret={secret} />
      </Preview>
    </form>
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

interface DeliveryProps {
  body: AlertBody
  address: string | null
  onChange: (changes: Partial<AlertBody>) => void
}

/** The least time between two alerts of a rule, and their destination. */
function Delivery({ body: { condition, email, webhook_url }, address, onChange }: DeliveryProps) {
  return (
    <>
      {'rest_hours' in condition && (
        <>
          , at most{' '}
          <Select
            label="At most"
            value={`${condition.rest_hours ?? 0}`}
            options={restsWith(condition.rest_hours ?? 0)}
            onChange={(text) => onChange({ condition: { ...condition, rest_hours: Number(text) } })}
          />
        </>
      )}
      ,{' '}
      <Select
        label="Told by"
        value={email ? 'mail' : 'feed'}
        options={[
          ...(address === null && !email ? [] : [['mail', 'by mail'] as const]),
          ['feed', webhook_url === null ? 'in the feed only' : 'by webhook'] as const,
        ]}
        onChange={(by) => onChange({ email: by === 'mail' })}
      />
    </>
  )
}
