import { useState } from 'preact/hooks'
import type { AlertCondition } from '../../contract/alert-conditions.ts'
import type { AlertBody } from '../../contract/alerts.ts'
import { chatTitles } from '../../contract/chat-services.ts'
import { useSources } from '../api/sources.ts'
import { Select } from '../components/select.tsx'
import { TypedNumber } from '../components/typed-number.tsx'
import { MemoryField, NumberField } from './fields.tsx'
import { describe } from './words.ts'

interface MoreProps {
  body: AlertBody
  onChange: (changes: Partial<AlertBody>) => void
}

/** The fields that few rules need, folded below the sentence. */
export function MoreFields({ body, onChange }: MoreProps) {
  const { name, condition, webhook_url } = body
  const [isOpen] = useState(webhook_url !== null)
  return (
    <details class="more-fields" open={isOpen}>
      <summary>More</summary>
      <div class="filters">
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
          Chat or webhook
          <input
            type="url"
            value={webhook_url ?? ''}
            maxLength={2000}
            placeholder="https://…, or none"
            onInput={({ currentTarget: { value } }) => onChange({ webhook_url: value || null })}
          />
          <small>Shown by {chatTitles}; sent to a program as signed JSON</small>
        </label>
        <NoiseFields condition={condition} onChange={(next) => onChange({ condition: next })} />
      </div>
    </details>
  )
}

interface NoiseProps {
  condition: AlertCondition
  onChange: (condition: AlertCondition) => void
}

/** The fields that decide how soon a rule fires and ends. */
function NoiseFields({ condition, onChange }: NoiseProps) {
  return (
    <>
      {'gpu_memory' in condition && (
        <MemoryField
          value={condition.gpu_memory}
          onChange={(gpu_memory) => onChange({ ...condition, gpu_memory })}
        />
      )}
      {'slots' in condition && (
        <NumberField
          label="Wait for this many snapshots"
          value={condition.slots}
          least={1}
          onChange={(slots) => onChange({ ...condition, slots })}
        />
      )}
      {condition.kind === 'statistic' && (
        <TypedNumber
          label={'by' in condition ? endWords[condition.is] : 'Ends at'}
          min={0}
          step="any"
          placeholder={'by' in condition ? `${condition.by}` : 'the limit'}
          value={condition.clears_at ?? ''}
          onChange={(text) => onChange({ ...condition, clears_at: text === '' ? null : Number(text) })}
        />
      )}
    </>
  )
}

const endWords = { falls: 'Ends when the fall is at most, %', rises: 'Ends when the rise is at most, %' }

interface SourceProps {
  source: string | null
  onChange: (source: string | null) => void
}

/** The market that the rule watches. Shown if the site records several. */
export function SourceField({ source: chosen, onChange }: SourceProps) {
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
