import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { AlertCondition } from '../../contract/alert-conditions.ts'
import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import { toError } from '../../contract/failure.ts'
import { pages } from '../../contract/pages.ts'
import { Failure } from '../components/failure.tsx'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { WebhookSecret } from '../components/webhook-secret.tsx'
import { useActions } from './api.ts'
import { bodyOf, presets } from './rule-body.ts'
import { RulePreview } from './rule-preview.tsx'
import { MoreFields, RuleSentence, SourceField } from './rule-sentence.tsx'
import { StageSteps } from './stage-steps.tsx'

interface RuleFormProps {
  /** The rule to change; undefined: a new rule. */
  rule: AutopilotRule | undefined
  /** The address to which decisions can be mailed; null: there is none. */
  address: string | null
  onLeave: () => void
}

/** Makes a rule or changes one: presets beside a sentence with values, and its effect on the own machines. */
export function RuleForm(props: RuleFormProps) {
  const preset = useSignal(presets[0])
  const { rule } = props
  return (
    <section aria-labelledby="rule-form" class="rule-editor">
      <header>
        <h2 id="rule-form">{rule ? `Change “${rule.name}”` : 'New rule'}</h2>
        <StageSteps stage={rule?.stage ?? 'suggest'} />
      </header>
      {!rule && (
        <div class="starts">
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own */}
          <div class="card" role="group" aria-label="Price rules">
            <h3>Price rules</h3>
            {presets.map((one) => (
              <button
                key={one.title}
                type="button"
                class="plain start"
                aria-pressed={one === preset.value}
                onClick={() => (preset.value = one)}
              >
                <span class="badge">
                  <Icon outline={outlines[one.icon]} />
                </span>
                <span>
                  <b>{one.title}</b>
                  <small class="quiet">{one.what}</small>
                </span>
              </button>
            ))}
          </div>
          <nav class="card" aria-label="Alerts to begin with">
            <h3>Alerts</h3>
            {alertStarts.map(([kind, icon, title]) => (
              <Link key={kind} class="start" href={`${pages.alerts}?kind=${kind}`}>
                <span class="badge">
                  <Icon outline={outlines[icon]} />
                </span>
                <b>{title}</b>
              </Link>
            ))}
          </nav>
        </div>
      )}
      {/* Another preset makes other fields. */}
      <Fields key={preset.value.title} {...props} preset={preset.value} />
    </section>
  )
}

/** Alerts that a host may want beside a rule, as kinds of conditions. */
const alertStarts = [
  ['statistic', 'bell', 'A GPU type falls 5 % in a day'],
  ['machine_idle', 'clock', 'One of my machines is idle'],
  ['machine_price', 'tag', 'My price is out of line'],
] as const satisfies readonly (readonly [AlertCondition['kind'], keyof typeof outlines, string])[]

interface FieldsProps extends RuleFormProps {
  preset: (typeof presets)[number]
}

function Fields({ rule, address, onLeave, preset }: FieldsProps) {
  const form = useRef<HTMLFormElement>(null)
  const settings = rule ?? preset.settings
  const draft = useSignal<AutopilotBody>()
  const read = (element: HTMLFormElement) => bodyOf(new FormData(element), rule, preset.name)
  useEffect(() => {
    if (form.current) draft.value = read(form.current)
  }, [])
  const { save, said, failure, secret, busy } = useSave(rule)
  const kind = draft.value?.target.kind ?? settings.target.kind
  return (
    <form
      ref={form}
      class="rule-form"
      onInput={({ currentTarget }) => (draft.value = read(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        const isDryRun = event.submitter?.getAttribute('value') === 'dry_run'
        save(read(event.currentTarget), isDryRun)
      }}
    >
      <div class="card rule">
        <RuleSentence rule={rule} settings={settings} kind={kind} address={address} />
        <SourceField rule={rule} />
        <MoreFields rule={rule} settings={settings} kind={kind} usualName={preset.name} />
      </div>
      <RulePreview body={draft.value} />
      <Failure text={failure.value} />
      <output aria-live="polite">{said.value}</output>
      <WebhookSecret secret={secret} />
      <div class="action-bar">
        <span class="sum">
          <strong>{rule?.name ?? preset.title}</strong>{' '}
          {!rule && <span class="quiet">A dry run sets no price. After a day you decide.</span>}
        </span>
        {rule && (
          <button type="button" class="outline" onClick={onLeave}>
            Close
          </button>
        )}
        <button type="submit" class={rule ? undefined : 'outline'} aria-busy={busy.value}>
          {rule ? 'Save changes' : 'Only suggest'}
        </button>
        {!rule && (
          <button type="submit" value="dry_run" aria-busy={busy.value}>
            Start the dry run
          </button>
        )}
      </div>
    </form>
  )
}

/** Creates or changes a rule, and begins its dry run. */
function useSave(rule: AutopilotRule | undefined) {
  const { create, change, setStage } = useActions()
  const said = useSignal('')
  const failure = useSignal('')
  const secret = useSignal<string | null>(null)
  const busy = useSignal(false)
  async function save(body: AutopilotBody, isDryRun: boolean): Promise<void> {
    if (busy.value) return
    busy.value = true
    failure.value = ''
    said.value = ''
    try {
      const answer = await (rule ? change(rule.id, body) : create(body))
      secret.value = answer.webhook_secret
      const made = `Rule “${answer.rule.name}” ${rule ? 'changed.' : 'created.'}`
      said.value = rule ? made : `${made} It only suggests for now.`
      if (isDryRun) {
        await setStage(answer.rule.id, 'dry_run')
        said.value = `${made} Its dry run has begun.`
      }
    } catch (error) {
      failure.value = toError(error).message
    }
    busy.value = false
  }
  return { save, said, failure, secret, busy }
}
