import { type AlertUnit, unitOf } from '../../contract/alert-kinds.ts'
import type { AlertCondition } from '../../contract/alerts.ts'
import { useNames } from '../api/queries.ts'
import { Select } from '../components/select.tsx'
import { TypedNumber } from '../components/typed-number.tsx'
import { useFigureNow } from './figure-now.ts'
import { events, limitText, type Of, statistics } from './words.ts'

interface FieldsProps<Condition> {
  condition: Condition
  onChange: (condition: AlertCondition) => void
}

/** The fields of what a rule watches. */
export function ConditionFields({ condition, onChange }: FieldsProps<AlertCondition>) {
  switch (condition.kind) {
    case 'statistic':
      return <StatisticFields condition={condition} onChange={onChange} />
    case 'event':
      return <EventFields condition={condition} onChange={onChange} />
    case 'machine_idle':
      return (
        <>
          <MachineField
            id={condition.machine_id}
            onChange={(machine_id) => onChange({ ...condition, machine_id })}
          />
          <NumberField
            label="Hours without a rental"
            value={condition.hours}
            least={1}
            onChange={(hours) => onChange({ ...condition, hours })}
          />
        </>
      )
    case 'machine_price':
      return (
        <MachineField
          id={condition.machine_id}
          onChange={(machine_id) => onChange({ ...condition, machine_id })}
        />
      )
    case 'listing_ends':
      return (
        <>
          <MachineField
            id={condition.machine_id}
            onChange={(machine_id) => onChange({ ...condition, machine_id })}
          />
          <NumberField
            label="Days before the end"
            value={condition.days}
            least={1}
            onChange={(days) => onChange({ ...condition, days })}
          />
        </>
      )
    case 'data_age':
      return (
        <NumberField
          label="Minutes"
          value={condition.minutes}
          least={10}
          onChange={(minutes) => onChange({ ...condition, minutes })}
        />
      )
  }
}

function StatisticFields({ condition, onChange }: FieldsProps<Of<'statistic'>>) {
  const change = (changes: Partial<Of<'statistic'>>) => onChange({ ...condition, ...changes })
  const unit = units[unitOf(condition.statistic)]
  const now = useFigureNow(condition)
  return (
    <>
      <GpuField name={condition.gpu_name} onChange={(gpu_name) => change({ gpu_name })} />
      <Select
        label="Figure"
        value={condition.statistic}
        options={statistics}
        onChange={(statistic) => change({ statistic })}
      />
      <Select
        label="Is"
        value={condition.is}
        options={[
          ['below', 'below'],
          ['above', 'above'],
        ]}
        onChange={(is) => change({ is })}
      />
      <NumberField
        label={`Limit (${unit})`}
        value={condition.limit}
        least={0}
        onChange={(limit) => change({ limit })}
      />
      {now !== undefined && (
        <p class="quiet now">now {limitText({ statistic: condition.statistic, limit: now })}</p>
      )}
      <TypedNumber
        label="Resolved at"
        min={0}
        step="any"
        placeholder="the limit"
        value={condition.clears_at ?? ''}
        onChange={(text) => change({ clears_at: text === '' ? null : Number(text) })}
      />
      {condition.statistic !== 'list_price' && (
        <VerifiedField value={condition.verified} onChange={(verified) => change({ verified })} />
      )}
      <NumberField
        label="Snapshots in a row"
        value={condition.slots}
        least={1}
        onChange={(slots) => change({ slots })}
      />
    </>
  )
}

const units: Record<AlertUnit, string> = {
  share: 'share, 0 to 1',
  rate: 'rentals per GPU-hour',
  gpus: 'GPUs',
  dollars: 'USD per GPU-hour',
}

function EventFields({ condition, onChange }: FieldsProps<Of<'event'>>) {
  const change = (changes: Partial<Of<'event'>>) => onChange({ ...condition, ...changes })
  return (
    <>
      <GpuField name={condition.gpu_name} onChange={(gpu_name) => change({ gpu_name })} />
      <Select
        label="Event"
        value={condition.event}
        options={events}
        onChange={(event) => change({ event })}
      />
      <VerifiedField value={condition.verified} onChange={(verified) => change({ verified })} />
    </>
  )
}

/** Any name: a rule may wait for a GPU that the market does not know yet. */
function GpuField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const { data } = useNames()
  return (
    <label>
      GPU
      <input
        value={name}
        list="gpu-names"
        required
        maxLength={64}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id="gpu-names">
        {data?.map((gpu) => (
          <option key={gpu.name} value={gpu.name} />
        ))}
      </datalist>
    </label>
  )
}

interface VerifiedProps {
  value: Of<'event'>['verified']
  onChange: (value: Of<'event'>['verified']) => void
}

const VerifiedField = ({ value, onChange }: VerifiedProps) => (
  <Select
    label="Machines"
    value={value}
    options={[
      ['yes', 'Verified'],
      ['no', 'Unverified'],
      ['all', 'All'],
    ]}
    onChange={onChange}
  />
)

const MachineField = ({ id, onChange }: { id: number | null; onChange: (id: number | null) => void }) => (
  <TypedNumber
    label="Machine"
    min={1}
    placeholder="each of mine"
    value={id ?? ''}
    onChange={(text) => onChange(text === '' ? null : Number(text))}
  />
)

interface NumberProps {
  label: string
  value: number
  least: number
  onChange: (value: number) => void
}

const NumberField = ({ label, value, least, onChange }: NumberProps) => (
  <TypedNumber
    label={label}
    min={least}
    step="any"
    required
    value={value}
    onChange={(text) => text !== '' && onChange(Number(text))}
  />
)
