import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import type { GpuRentalHours, RentalHoursAnswer } from '../../../contract/rental-hours.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const input = z.object({
  gpu_name: gpuNames(1),
  ...toolFilter,
  start: range.start.describe('Start of the range. Default: 28 days before its end. Whole days (UTC) count'),
  end: range.end,
})

export const rentalHours: Tool<typeof input> = {
  name: 'rental_hours',
  title: 'Hours of the week at which GPUs are rented',
  description:
    'At which hours of the day (UTC) and on which days GPUs of one type are rented sooner than usual, if hours differ significantly. For "when should I list", "when should I change a price" and "when do I do maintenance".',
  input,
  path: ({ gpu_name, start, end, ...asked }) =>
    pathOf('/api/v0/metrics/gpu/rental-hours', { gpu_name, ...filterParameters(asked), start, end }),
  summarize: ({ gpus }: RentalHoursAnswer) => ({
    figures: ['rentals', 'fill_rate', 'ratio_to_mean'],
    data: {
      gpus: Object.fromEntries(Object.entries(gpus).map(([name, hours]) => [name, summarizeHours(hours)])),
    },
  }),
}

/** The pattern by hours of a Wednesday and of a Sunday, which are all weekdays and weekends. */
const summarizeHours = ({ pattern, ...counted }: GpuRentalHours) => ({
  ...counted,
  pattern: pattern && {
    busiest: pattern.busiest,
    quietest: pattern.quietest,
    weekend_to_weekdays: pattern.weekend,
    ratio_to_mean: {
      weekday_hours: pattern.ratio.slice(48, 72),
      weekend_hours: pattern.ratio.slice(144),
    },
  },
})
