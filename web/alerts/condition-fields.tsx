import type { AlertCondition } from '../../contract/alert-conditions.ts'
import { Select } from '../components/select.tsx'
import { eventNames } from '../event-names.ts'
import { GpuField, MachineField, MemoryField, NumberField, VerifiedField } from './fields.tsx'
import { FigureFields } from './figure-fields.tsx'
import type { Of } from './words.ts'

interface FieldsProps<Condition> {
  condition: Condition
  onChange: (condition: AlertCondition) => void
}

/** The fields of a rule's condition. */
export function ConditionFields({
  source,
  condition,
  onChange,
}: FieldsProps<AlertCondition> & { source: string | null }) {
  switch (condition.kind) {
    case 'statistic':
      return <FigureFields source={source} condition={condition} onChange={onChange} />
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

function EventFields({ condition, onChange }: FieldsProps<Of<'event'>>) {
  const change = (changes: Partial<Of<'event'>>) => onChange({ ...condition, ...changes })
  return (
    <>
      <GpuField name={condition.gpu_name} onChange={(gpu_name) => change({ gpu_name })} />
      <Select
        label="Event"
        value={condition.event}
        options={eventNames}
        onChange={(event) => change({ event })}
      />
      <VerifiedField value={condition.verified} onChange={(verified) => change({ verified })} />
      <MemoryField value={condition.gpu_memory} onChange={(gpu_memory) => change({ gpu_memory })} />
    </>
  )
}
