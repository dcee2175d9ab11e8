import { useSignal } from '@preact/signals'
import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { toError } from '../../contract/failure.ts'
import { useSources } from '../api/sources.ts'
import { Failure } from '../components/failure.tsx'
import { WebhookSecret } from '../components/webhook-secret.tsx'
import { source as shown } from '../source.ts'
import { useActions } from './api.ts'

interface RuleFormProps {
  /** The rule to change; undefined: a new rule. */
  rule: AutopilotRule | undefined
  onLeave: () => void
}

/** Makes a rule or changes one. The fields keep their values in the form element. */
export function RuleForm({ rule, onLeave }: RuleFormProps) {
  const { create, change } = useActions()
  const kind = useSignal<AutopilotBody['target']['kind']>(rule?.target.kind ?? 'recommended')
  const said = useSignal('')
  const failure = useSignal('')
  const secret = useSignal<string | null>(null)
  const busy = useSignal(false)
  async function save(form: HTMLFormElement): Promise<void> {
    if (busy.value) return
    busy.value = true
    failure.value = ''
    said.value = ''
    try {
      const body = bodyOf(new FormData(form), rule)
      const answer = await (rule ? change(rule.id, body) : create(body))
      secret.value = answer.webhook_secret
      said.value = rule
        ? `Rule “${answer.rule.name}” changed.`
        : `Rule “${answer.rule.name}” created. It only suggests for now.`
    } catch (error) {
      failure.value = toError(error).message
    }
    busy.value = false
  }
  return (
    <section aria-labelledby="rule-form">
      <h2 id="rule-form">{rule ? `Change “${rule.name}”` : 'New rule'}</h2>
      <form
        class="rule"
        onSubmit={(event) => {
          event.preventDefault()
          save(event.currentTarget)
        }}
      >
        <div class="filters">
          <label>
            Name
            <input name="name" maxLength={100} defaultValue={rule?.name ?? ''} placeholder="My rule" />
          </label>
          <Where rule={rule} />
          <label>
            Follow
            <select
              name="kind"
              value={kind.value}
              onChange={({ currentTarget: { value } }) => (kind.value = value as typeof kind.value)}
            >
              <option value="recommended">the recommended price</option>
              <option value="percentile">a percentile of its class</option>
              <option value="median">the median of its class</option>
            </select>
          </label>
          <AimField kind={kind.value} rule={rule} />
        </div>
        <Rails rule={rule} />
        <div class="filters">
          <label>
            Webhook
            <input
              type="url"
              name="webhook_url"
              maxLength={2000}
              defaultValue={rule?.webhook_url ?? ''}
              placeholder="https://…, or none"
            />
          </label>
          <label>
            <input type="checkbox" name="email" defaultChecked={rule?.email ?? false} /> Email me
          </label>
          <button type="submit" aria-busy={busy.value}>
            {rule ? 'Save changes' : 'Create rule'}
          </button>
          {rule && (
            <button type="button" class="secondary outline" onClick={onLeave}>
              Close
            </button>
          )}
        </div>
      </form>
      <Failure text={failure.value} />
      <output aria-live="polite">{said.value}</output>
      <WebhookSecret secret={secret} />
    </section>
  )
}

/** The fields for the machines and the market of a rule. */
function Where({ rule }: { rule: AutopilotRule | undefined }) {
  const { data: sources = [] } = useSources()
  return (
    <>
      {sources.length > 1 && (
        <label>
          Market
          <select name="source">
            {sources.map(({ name }, index) => (
              <option
                key={name}
                value={index === 0 ? '' : name}
                selected={name === (rule ? rule.source : shown)}
              >
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        GPU
        <input name="gpu_name" maxLength={64} defaultValue={rule?.gpu_name ?? ''} placeholder="all" />
      </label>
      <Numeric name="machine_id" label="Machine" value={rule?.machine_id} placeholder="all" step={1} />
    </>
  )
}

function AimField({ kind, rule }: { kind: string; rule: AutopilotRule | undefined }) {
  const { target } = rule ?? {}
  if (kind === 'percentile')
    return (
      <Numeric
        name="percentile"
        label="Percentile"
        value={target?.kind === 'percentile' ? target.percentile : 40}
        step={1}
      />
    )
  if (kind === 'recommended') return <OwnResults rule={rule} />
  const offset = target?.kind === 'median' ? target.offset_percent : 0
  return (
    <Numeric name="offset_percent" label="Above (+) or below (−) the median, %" value={offset} step={0.5} />
  )
}

/** The fields for machines without a recommended price. */
function OwnResults({ rule }: { rule: AutopilotRule | undefined }) {
  const usual = rule?.target.kind === 'recommended' ? rule.target.own_results : autopilotLimits.ownResults
  return (
    <>
      <Numeric
        name="raise_above"
        label="Without a recommendation: raise when rented more than (%)"
        value={usual?.raise_above}
        placeholder="do nothing"
      />
      <Numeric
        name="lower_below"
        label="Lower when rented less than (%)"
        value={usual?.lower_below}
        placeholder="do nothing"
      />
    </>
  )
}

const Rails = ({ rule }: { rule: AutopilotRule | undefined }) => (
  <div class="filters">
    <Numeric
      name="floor"
      label="Never below, USD per GPU-hour"
      value={rule?.floor}
      placeholder="from your costs"
    />
    <Numeric name="ceiling" label="Never above, USD per GPU-hour" value={rule?.ceiling} placeholder="none" />
    <Numeric name="step" label="Change by at most, %" value={100 * (rule?.largest_step ?? 0.1)} step={0.5} />
    <Numeric
      name="hours_between"
      label="At least this many hours between changes"
      value={rule?.hours_between ?? 6}
    />
    <Numeric
      name="changes_a_day"
      label="At most this many changes a day"
      value={rule?.changes_a_day ?? 4}
      step={1}
    />
    <Numeric
      name="quiet_from"
      label="No changes from … o’clock (UTC)"
      value={rule?.quiet?.from}
      placeholder="never"
      step={1}
    />
    <Numeric
      name="quiet_to"
      label="… to … o’clock (UTC)"
      value={rule?.quiet?.to}
      placeholder="never"
      step={1}
    />
    <Numeric
      name="idle_hours"
      label="After this many idle hours"
      value={rule?.idle?.hours}
      placeholder="never"
      step={1}
    />
    <Numeric name="idle_drop" label="lower by, %" value={rule?.idle?.drop_percent} placeholder="0" />
  </div>
)

interface NumericProps {
  name: string
  label: string
  value?: number | null | undefined
  placeholder?: string
  step?: number
}

const Numeric = ({ name, label, value, placeholder, step }: NumericProps) => (
  <label>
    {label}
    <input
      type="number"
      name={name}
      step={step ?? 'any'}
      defaultValue={value ?? ''}
      {...(placeholder !== undefined && { placeholder })}
    />
  </label>
)

/** The fields of the form as the API accepts them. */
function bodyOf(form: FormData, rule: AutopilotRule | undefined): AutopilotBody {
  const text = (name: string) => `${form.get(name) ?? ''}`.trim()
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)))
  const kind = text('kind')
  const [from, to, hours, drop] = ['quiet_from', 'quiet_to', 'idle_hours', 'idle_drop'].map(number)
  const [above, below] = ['raise_above', 'lower_below'].map(number)
  return {
    name: text('name') || 'My rule',
    // The field exists only if the site has several markets.
    source: form.has('source') ? text('source') || null : (rule?.source ?? null),
    machine_id: number('machine_id'),
    gpu_name: text('gpu_name') || null,
    target:
      kind === 'percentile'
        ? { kind, percentile: number('percentile') ?? 0 }
        : kind === 'median'
          ? { kind, offset_percent: number('offset_percent') ?? 0 }
          : {
              kind: 'recommended',
              own_results: above == null || below == null ? null : { raise_above: above, lower_below: below },
            },
    floor: number('floor'),
    ceiling: number('ceiling'),
    largest_step: (number('step') ?? 10) / 100,
    hours_between: number('hours_between') ?? 6,
    changes_a_day: number('changes_a_day') ?? 4,
    quiet: from == null || to == null ? null : { from, to },
    idle: hours == null || drop == null ? null : { hours, drop_percent: drop },
    webhook_url: text('webhook_url') || null,
    email: form.has('email'),
  }
}
