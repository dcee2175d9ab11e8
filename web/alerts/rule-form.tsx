import { useSignal } from '@preact/signals'
import type { AlertBody, AlertTried } from '../../contract/alerts.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Select } from '../components/select.tsx'
import { moment } from '../format.ts'
import { useActions } from './api.ts'
import { ConditionFields } from './condition-fields.tsx'
import { describe, kinds, presets } from './words.ts'

const days = 30
const mostTimes = 20

/** Makes a rule, and tries it on past data before. */
export function RuleForm() {
  const { create, attempt } = useActions()
  const draft = useSignal<AlertBody>({
    name: '',
    condition: presets.machine_price,
    email: false,
    webhook_url: null,
  })
  const tried = useSignal<AlertTried | undefined>(undefined)
  const secret = useSignal<string | null>(null)
  const said = useSignal('')
  const failure = useSignal('')
  const busy = useSignal(false)
  const { name, condition, email, webhook_url } = draft.value
  const change = (changes: Partial<AlertBody>) => {
    draft.value = { ...draft.value, ...changes }
    if (changes.condition) tried.value = undefined
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
      const answer = await create({ ...draft.value, name: name.trim() || describe(condition).slice(0, 100) })
      secret.value = answer.webhook_secret
      said.value = `The rule “${answer.rule.name}” is made. It is looked at with the next snapshot.`
      change({ name: '', webhook_url: null })
    })
  const tryIt = () =>
    run(async () => {
      tried.value = await attempt({ condition, days })
    })

  return (
    <section aria-labelledby="new-rule">
      <h2 id="new-rule">New rule</h2>
      <form
        class="rule"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div class="filters">
          <Select
            label="Tell me when"
            value={condition.kind}
            options={kinds}
            onChange={(kind) => change({ condition: presets[kind] })}
          />
          <ConditionFields condition={condition} onChange={(next) => change({ condition: next })} />
        </div>
        <div class="filters">
          <label>
            Name
            <input
              value={name}
              maxLength={100}
              placeholder={describe(condition)}
              onInput={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          </label>
          <label>
            Webhook
            <input
              type="url"
              value={webhook_url ?? ''}
              maxLength={2000}
              placeholder="https://…, or none"
              onInput={({ currentTarget: { value } }) => change({ webhook_url: value || null })}
            />
          </label>
          <label>
            <input type="checkbox" checked={email} onChange={() => change({ email: !email })} /> Mail to me
          </label>
          <button type="button" class="secondary outline" onClick={tryIt}>
            Try on {days} days
          </button>
          <button type="submit">Make the rule</button>
        </div>
      </form>
      {failure.value && (
        <p class="banner trouble" role="alert">
          {failure.value}
        </p>
      )}
      <output aria-live="polite">{said.value}</output>
      {secret.value && <Secret text={secret.value} onDone={() => (secret.value = null)} />}
      {tried.value && <Tried tried={tried.value} />}
    </section>
  )
}

function Secret({ text, onDone }: { text: string; onDone: () => void }) {
  return (
    <p class="banner" role="status">
      <strong>The secret of the webhook is shown only now.</strong> It proves that a message comes from here.
      <code class="secret">{text}</code>
      <CopyButton label="Copy" text={() => text} />{' '}
      <button type="button" class="plain" onClick={onDone}>
        I have it
      </button>
    </p>
  )
}

/** What a rule would have said. */
function Tried({ tried: { fired, slots, from, entries } }: { tried: AlertTried }) {
  const times =
    fired === 0 ? 'would not have fired' : `would have fired ${fired === 1 ? 'once' : `${fired} times`}`
  return (
    <div role="status">
      <p>
        <strong>It {times}</strong> at {slots} snapshots since {moment(from)}.
      </p>
      {entries.length > 0 && (
        <ul class="said">
          {entries.slice(-mostTimes).map(({ slot, what, text }) => (
            <li key={`${slot} ${text}`}>
              <time dateTime={new Date(slot * 1000).toISOString()}>{moment(slot)}</time>{' '}
              {what === 'fired' ? 'Alert' : 'Resolved'}: {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
