import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import { toError } from '../../contract/failure.ts'
import { Failure } from '../components/failure.tsx'
import { WebhookSecret } from '../components/webhook-secret.tsx'
import { useActions } from './api.ts'
import { bodyOf, presets } from './rule-body.ts'
import { RulePreview } from './rule-preview.tsx'
import { MoreFields, RuleSentence, SourceField } from './rule-sentence.tsx'

interface RuleFormProps {
  /** The rule to change; undefined: a new rule. */
  rule: AutopilotRule | undefined
  /** The address to which decisions can be mailed; null: there is none. */
  address: string | null
  onLeave: () => void
}

/** Makes a rule or changes one: presets, a sentence with values, and its effect on the own machines. */
export function RuleForm(props: RuleFormProps) {
  const preset = useSignal(presets[0])
  const { rule } = props
  return (
    <section aria-labelledby="rule-form" class="card">
      <h2 id="rule-form" class="label">
        {rule ? `Change “${rule.name}”` : 'New rule'}
      </h2>
      {/* Another preset makes other fields. */}
      <Fields key={preset.value.title} {...props} preset={preset.value}>
        {!rule && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own
          <div class="presets" role="group" aria-label="Start from">
            <span class="quiet">Or start from</span>
            {presets.map((one) => (
              <button
                key={one.title}
                type="button"
                class="chip"
                title={one.what}
                aria-pressed={one === preset.value}
                onClick={() => (preset.value = one)}
              >
                {one.title}
              </button>
            ))}
          </div>
        )}
      </Fields>
    </section>
  )
}

interface FieldsProps extends RuleFormProps {
  preset: (typeof presets)[number]
  children: ComponentChildren
}

function Fields({ rule, address, onLeave, preset, children }: FieldsProps) {
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
      class="rule"
      onInput={({ currentTarget }) => (draft.value = read(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        const isDryRun = event.submitter?.getAttribute('value') === 'dry_run'
        save(read(event.currentTarget), isDryRun)
      }}
    >
      <RuleSentence rule={rule} settings={settings} kind={kind} address={address} />
      {children}
      <SourceField rule={rule} />
      <MoreFields rule={rule} settings={settings} kind={kind} usualName={preset.name} />
      <RulePreview body={draft.value} />
      <div class="actions-of-form">
        {!rule && (
          <button type="submit" value="dry_run" aria-busy={busy.value}>
            Start the dry run
          </button>
        )}
        <button type="submit" class={rule ? undefined : 'outline'} aria-busy={busy.value}>
          {rule ? 'Save changes' : 'Only suggest'}
        </button>
        {rule ? (
          <button type="button" class="outline" onClick={onLeave}>
            Close
          </button>
        ) : (
          <span class="quiet">A dry run sets no price. After a day you decide.</span>
        )}
      </div>
      <Failure text={failure.value} />
      <output aria-live="polite">{said.value}</output>
      <WebhookSecret secret={secret} />
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
