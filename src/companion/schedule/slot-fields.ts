import { invalidArgs } from '../../../platform/errors.ts'
import { minuteOf, type Slots } from './job-slots.ts'
import type { Job, JobFields } from './schema.ts'

type SlotFields = Omit<JobFields, 'start_time' | 'frequency'> & Pick<Slots, 'start_time' | 'frequency'>

export const pickSlots = (job: Slots): Slots => ({
  frequency: job.frequency,
  day_of_the_week: job.day_of_the_week,
  hour_of_the_day: job.hour_of_the_day,
  min_of_the_hour: job.min_of_the_hour,
  start_time: job.start_time,
  end_time: job.end_time,
})

/** The slots of a new job. Throws 400 unless day and hour are given exactly when the frequency needs them. */
export function slotsOf(fields: SlotFields): Slots {
  const { frequency, start_time } = fields
  const day = fields.day_of_the_week ?? null
  const hour = fields.hour_of_the_day ?? null
  const end = fields.end_time ?? null
  if ((day !== null) !== (frequency === 'WEEKLY') || (hour !== null) !== (frequency !== 'HOURLY'))
    throw invalidArgs(
      'HOURLY takes neither day_of_the_week nor hour_of_the_day, DAILY takes hour_of_the_day only, WEEKLY takes both',
    )
  if (end !== null && end <= start_time) throw invalidArgs('start_time must be before end_time')
  return pickSlots({
    frequency,
    day_of_the_week: day,
    hour_of_the_day: hour,
    min_of_the_hour: fields.min_of_the_hour ?? minuteOf(start_time),
    start_time,
    end_time: end,
  })
}

/**
 * The slots of an updated job. With a `frequency` in the request, a null day or hour removes the field, and fields that the
 * frequency does not need are dropped. Without one, null keeps the field.
 */
export function updatedSlots(job: Job, fields: JobFields): Slots {
  const { frequency, start_time } = fields
  const moved = start_time != null && start_time !== job.start_time
  const slotField = (name: 'day_of_the_week' | 'hour_of_the_day', isNeeded: boolean) => {
    if (frequency == null) return fields[name] ?? job[name]
    return fields[name] === undefined && isNeeded ? job[name] : fields[name]
  }
  return slotsOf({
    ...job,
    frequency: frequency ?? job.frequency,
    start_time: start_time ?? job.start_time,
    end_time: fields.end_time ?? job.end_time,
    day_of_the_week: slotField('day_of_the_week', frequency === 'WEEKLY'),
    hour_of_the_day: slotField('hour_of_the_day', frequency !== 'HOURLY'),
    min_of_the_hour: fields.min_of_the_hour ?? (moved ? null : job.min_of_the_hour),
  })
}
