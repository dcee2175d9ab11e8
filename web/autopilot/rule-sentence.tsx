import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import { machineOption, useMachineList } from '../api/machines.ts'
import { useSources } from '../api/sources.ts'
import { source as shown } from '../source.ts'
import { ofType, type RuleSettings, scopeOf } from './rule-body.ts'

interface SentenceProps {
  /** The rule to change; undefined: a new rule. */
  rule: AutopilotRule | undefined
  settings: RuleSettings
  kind: AutopilotBody['target']['kind']
  /** The address to which decisions can be mailed; null: there is none. */
  address: string | null
}

/** A rule as a sentence. Its fields keep their values in the form element. */
export function RuleSentence({ rule, settings, kind, address }: SentenceProps) {
  const { target, floor, largest_step, hours_between } = settings
  const byMail = rule ? rule.email : address !== null
  return (
    <div class="say">
      Follow{' '}
      <Choice
        name="kind"
        label="Follow"
        value={kind}
        options={[
          ['recommended', 'the recommended price'],
          ['median', 'the median of similar machines'],
          ['percentile', 'a percentile of similar machines'],
        ]}
      />{' '}
      {kind === 'median' && (
        <>
          <Numeric
            name="offset_percent"
            label="Above (+) or below (−) the median, %"
            value={target.kind === 'median' ? target.offset_percent : 0}
            step={0.5}
          />{' '}
          %{' '}
        </>
      )}
      {kind === 'percentile' && (
        <>
          <Numeric
            name="percentile"
            label="Percentile"
            value={target.kind === 'percentile' ? target.percentile : 40}
            step={1}
          />{' '}
        </>
      )}
      on <Scope rule={rule} />, never below{' '}
      <Numeric name="floor" label="Never below, USD per GPU-hour" value={floor} placeholder="my cost" />,
      changing it by at most{' '}
      <Numeric name="step" label="Change by at most, %" value={100 * largest_step} step={0.5} /> % and at most
      once in{' '}
      <Numeric name="hours_between" label="At least this many hours between changes" value={hours_between} />{' '}
      hours. Tell me{' '}
      <Choice
        name="told_by"
        label="Told by"
        value={byMail ? 'mail' : 'page'}
        options={[
          ...(address === null && !byMail ? [] : [['mail', 'by mail'] as const]),
          ['page', 'on this page'],
        ]}
      />
      .
    </div>
  )
}

/** The fields that few rules need. */
export function MoreFields({
  rule,
  settings,
  kind,
  usualName,
}: Omit<SentenceProps, 'address'> & { usualName: string }) {
  const { target, ceiling, changes_a_day, quiet, idle } = settings
  const results = target.kind === 'recommended' ? target.own_results : null
  return (
    <details class="more-fields">
      <summary>More</summary>
      <div class="filters">
        <label>
          Name
          <input name="name" maxLength={100} defaultValue={rule?.name ?? ''} placeholder={usualName} />
        </label>
        <Numeric name="ceiling" label="Never above, USD per GPU-hour" value={ceiling} placeholder="none" />
        <Numeric
          name="changes_a_day"
          label="At most this many changes a day"
          value={changes_a_day}
          step={1}
        />
        {kind === 'recommended' && (
          <>
            <Numeric
              name="raise_above"
              label="Without a recommendation: raise when rented more than (%)"
              value={results?.raise_above}
              placeholder="do nothing"
            />
            <Numeric
              name="lower_below"
              label="Lower when rented less than (%)"
              value={results?.lower_below}
              placeholder="do nothing"
            />
          </>
        )}
        <Numeric
          name="idle_hours"
          label="After this many idle hours"
          value={idle?.hours}
          placeholder="never"
          step={1}
        />
        <Numeric name="idle_drop" label="lower by, %" value={idle?.drop_percent} placeholder="0" />
        <Numeric
          name="quiet_from"
          label="No changes from … o’clock (UTC)"
          value={quiet?.from}
          placeholder="never"
          step={1}
        />
        <Numeric
          name="quiet_to"
          label="… to … o’clock (UTC)"
          value={quiet?.to}
          placeholder="never"
          step={1}
        />
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
      </div>
    </details>
  )
}

/** The market of a rule. Shown if the site records several. */
export function SourceField({ rule }: { rule: AutopilotRule | undefined }) {
  const { data: sources = [] } = useSources()
  if (sources.length < 2) return null
  return (
    <div class="filters">
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
    </div>
  )
}

/** The machines of a rule: all, all of a GPU type, or one. */
function Scope({ rule }: { rule: AutopilotRule | undefined }) {
  const machines = useMachineList().data?.machines
  const chosen = rule ? scopeOf(rule) : ''
  // A host may have 10,000 machines: typing in the form does not draw their options again.
  return useMemo(() => {
    const types = [...new Set(machines?.map(({ gpu_name }) => gpu_name))].sort()
    const options = [
      ['', 'all my machines'] as const,
      ...types.map((name) => [`${ofType}${name}`, `my ${name}`] as const),
      ...(machines ?? []).map(machineOption),
    ]
    const others = options.some(([option]) => option === chosen)
      ? []
      : [[chosen, chosen.replace(ofType, '')] as const]
    return <Choice name="scope" label="Machines" value={chosen} options={[...options, ...others]} />
  }, [machines, chosen])
}

interface ChoiceProps {
  name: string
  label: string
  value: string
  options: readonly (readonly [string, ComponentChildren])[]
}

const Choice = ({ name, label, value, options }: ChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
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
