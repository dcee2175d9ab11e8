import type { AlertCondition } from '../../contract/alert-conditions.ts'
import { Select } from '../components/select.tsx'
import { eventNames } from '../event-names.ts'
import { GpuField, MachineField, NumberField, VerifiedField } from './fields.tsx'
import { FigureFields } from './figure-fields.tsx'
import type { SeenFigure } from './use-tried.ts'
import type { Of } from './words.ts'

interface FieldsProps<Condition> {
  condition: Condition
  onChange: (condition: AlertCondition) => void
}

/** The condition of a rule as a sentence whose values can be changed. `now`: the present reading of a rule on a figure. */
export function ConditionFields({
  now,
  condition,
  onChange,
}: FieldsProps<AlertCondition> & { now: SeenFigure | undefined }) {
  switch (condition.kind) {
    case 'statistic':
      return <FigureFields now={now} condition={condition} onChange={onChange} />
    case 'event':
      return <EventFields condition={condition} onChange={onChange} />
    case 'data_age':
      return (
        <>
          the newest snapshot is older than{' '}
          <NumberField
            label="Minutes"
            value={condition.minutes}
            least={10}
            onChange={(minutes) => onChange({ ...condition, minutes })}
          />{' '}
          minutes
        </>
      )
    default:
      return <MachineFields condition={condition} onChange={onChange} />
  }
}

type OwnCondition = Of<'machine_idle'> | Of<'machine_waits'> | Of<'machine_price'> | Of<'listing_ends'>

function MachineFields({ condition, onChange }: FieldsProps<OwnCondition>) {
  const machine = (
    <MachineField
      id={condition.machine_id}
      onChange={(machine_id) => onChange({ ...condition, machine_id })}
    />
  )
  switch (condition.kind) {
    case 'machine_idle':
      return (
        <>
          {machine} is not rented for{' '}
          <NumberField
            label="Hours without a rental"
            value={condition.hours}
            least={1}
            onChange={(hours) => onChange({ ...condition, hours })}
          />{' '}
          hours
        </>
      )
    case 'machine_waits':
      return <>{machine} waits for a rental longer than 19 of 20 such machines at its price</>
    case 'machine_price':
      return <>the price of {machine} leaves the range of similar machines</>
    case 'listing_ends':
      return (
        <>
          the listing of {machine} ends within{' '}
          <NumberField
            label="Days before the end"
            value={condition.days}
            least={1}
            onChange={(days) => onChange({ ...condition, days })}
          />{' '}
          days
        </>
      )
  }
}

function EventFields({ condition, onChange }: FieldsProps<Of<'event'>>) {
  const change = (changes: Partial<Of<'event'>>) => onChange({ ...condition, ...changes })
  return (
    <>
      <GpuField name={condition.gpu_name} onChange={(gpu_name) => change({ gpu_name })} /> on{' '}
      <VerifiedField value={condition.verified} onChange={(verified) => change({ verified })} /> machines has
      the event{' '}
      <Select
        label="Event"
        value={condition.event}
        options={eventNames}
        onChange={(event) => change({ event })}
      />
    </>
  )
}
