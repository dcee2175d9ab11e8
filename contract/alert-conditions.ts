import { z } from 'zod'
import {
  alertLimits,
  alertRanges,
  alertSpans,
  alertStatistics,
  leastPercent,
  mostPercent,
  unitOf,
} from './alert-kinds.ts'
import { eventKinds } from './events.ts'
import { greatestMachine, named } from './fields.ts'
import { alertFilter } from './filter-fields.ts'
import { askedName, normalName } from './gpu-names.ts'

const gpuName = z
  .string()
  .max(64)
  .refine((name) => askedName.test(normalName(name)), { error: 'must be the name of a GPU' })
  .describe(
    'GPU name. Case does not matter, and `_` matches a space. A rule on a name without data never fires',
  )
const slots = z
  .int()
  .min(1)
  .max(alertLimits.slots)
  .default(2)
  .describe(
    'Consecutive slots for which the condition must hold before the rule fires, or be false before it resolves',
  )
const machineId = z
  .int()
  .min(1)
  .max(greatestMachine)
  .nullable()
  .default(null)
  .describe('One machine of the account; null: all of them')
const restHours = z
  .int()
  .min(0)
  .max(alertLimits.hours)
  .default(0)
  .describe(
    'At most one alert in this many hours for the same subject; 0: no limit. When they are over and the condition still holds, the alert follows',
  )
const inUnit = z.number().min(0).max(1_000_000_000)

const watchedFigure = {
  kind: z.literal('statistic'),
  gpu_name: gpuName,
  ...alertFilter,
  statistic: z
    .enum(alertStatistics)
    .describe(
      'A field of the history; `occupancy`: share of the GPUs that are rented, 0 to 1; `fill_rate`: rentals per GPU-hour over seven days; `list_price`: the lowest on-demand list price of a cloud, to which only `gpu_memory` applies of the filters',
    ),
}
const levelCondition = z.object({
  ...watchedFigure,
  is: z.enum(['above', 'below']),
  limit: inUnit.describe(
    'In the unit of the statistic. A limit that the statistic can never cross is refused: `below` 0, and `above` 1 for a share',
  ),
  clears_at: inUnit
    .nullable()
    .default(null)
    .describe('The rule resolves only once the value is beyond this one; null: `limit`'),
  slots,
  rest_hours: restHours,
})
const changeCondition = named('AlertChange', {
  ...watchedFigure,
  is: z.enum(['falls', 'rises']),
  by: z
    .number()
    .min(leastPercent)
    .max(mostPercent.rises)
    .describe(
      'Least change in percent of the earlier value; with `falls` at most 100, for prices and fill rates less than 100. Also for shares',
    ),
  within_hours: z
    .literal(alertSpans)
    .default(24)
    .describe(
      'Compared with the newest snapshot that is between N and N + 1 hours old. If there is none, the rule keeps its state',
    ),
  clears_at: z
    .number()
    .min(0)
    .max(mostPercent.rises)
    .nullable()
    .default(null)
    .describe('Percent. The rule resolves only once the change is at most this one; null: less than `by`'),
  slots,
  rest_hours: restHours,
})
const eventCondition = z.object({
  kind: z.literal('event'),
  gpu_name: gpuName,
  verified: alertFilter.verified,
  gpu_memory: alertFilter.gpu_memory,
  event: z.enum(eventKinds).describe('As in GET /api/v0/metrics/gpu/events'),
  rest_hours: restHours,
})
const idleCondition = z.object({
  kind: z.literal('machine_idle'),
  machine_id: machineId,
  hours: z.int().min(1).max(alertLimits.hours).describe('Hours for which none of its GPUs has been rented'),
})
const waitCondition = z.object({
  kind: z.literal('machine_waits'),
  machine_id: machineId,
})
const bandCondition = z.object({
  kind: z.literal('machine_price'),
  machine_id: machineId,
  slots,
  rest_hours: restHours,
})
const endCondition = z.object({
  kind: z.literal('listing_ends'),
  machine_id: machineId,
  days: z.int().min(1).max(alertLimits.days).describe('Days within which its listing ends'),
})
const ageCondition = z.object({
  kind: z.literal('data_age'),
  minutes: z
    .int()
    .min(10)
    .max(alertLimits.minutes)
    .describe('Age of the newest market snapshot in minutes, above which the rule fires'),
})

/** The condition of an alert rule. */
export const alertCondition = z
  .discriminatedUnion('kind', [
    z.discriminatedUnion('is', [levelCondition, changeCondition]),
    eventCondition,
    idleCondition,
    waitCondition,
    bandCondition,
    endCondition,
    ageCondition,
  ])
  .describe(
    '`statistic`: a figure of the market is above or below a limit, or falls or rises by some percent within some hours. `event`: an event of the market. `machine_idle`: an own machine is on the market and not rented. `machine_waits`: an own machine is idle for longer than 95 % of such machines at its price, as `figures.waiting` of own machines. `machine_price`: the price of an own machine is outside the p10–p90 range of its class. `listing_ends`: the listing of an own machine ends soon. `data_age`: the newest snapshot is old',
  )
  .meta({ id: 'AlertCondition' })
export type AlertCondition = z.infer<typeof alertCondition>
/** A figure against a limit. */
export type LevelCondition = z.infer<typeof levelCondition>
/** A figure compared with its own value some hours before. */
export type ChangeCondition = z.infer<typeof changeCondition>

function clearsBeyond(condition: AlertCondition): boolean {
  if (condition.kind !== 'statistic' || condition.clears_at === null || 'by' in condition) return true
  const { is, limit, clears_at } = condition
  return is === 'above' ? clears_at <= limit : clears_at >= limit
}

/** The value is below `by`: otherwise the rule would resolve at the value at which it fires. */
const clearsBelow = (condition: AlertCondition): boolean =>
  !('by' in condition) || condition.clears_at === null || condition.clears_at < condition.by

const canMove = (condition: AlertCondition): boolean =>
  !('by' in condition) || condition.is === 'rises' || condition.by <= mostPercent.falls

/** The fields of a condition that no value of its figure can fulfill, by the range of the figure: it would never fire, or never resolve. */
function impossibleFields(condition: AlertCondition): { field: string; error: string }[] {
  if (condition.kind !== 'statistic') return []
  const {
    least,
    isLeastReached,
    most = Number.POSITIVE_INFINITY,
    said,
  } = alertRanges[unitOf(condition.statistic)]
  const never = (field: string, result: string) => [
    { field, error: `is never reached, so the rule would never ${result}: ${said}` },
  ]
  if ('by' in condition) {
    const isReached = condition.is === 'rises' || condition.by !== mostPercent.falls || isLeastReached
    return isReached ? [] : never('by', 'fire')
  }
  const { is, limit, clears_at } = condition
  if (is === 'below' ? limit === least : limit >= most) return never('limit', 'fire')
  if (clears_at === null) return []
  const clears =
    is === 'below' ? clears_at <= most : clears_at > least || (clears_at === least && isLeastReached)
  return clears ? [] : never('clears_at', 'resolve')
}

/** The condition with its checks. They are added in one call: otherwise the document repeats the condition beside its name. */
export const checkedCondition = alertCondition.check(
  z.refine(clearsBeyond, {
    path: ['clears_at'],
    error: 'must be at most the limit of `above`, and at least that of `below`',
  }),
  z.refine(clearsBelow, { path: ['clears_at'], error: 'must be less than `by`' }),
  z.refine(canMove, { path: ['by'], error: `must be at most ${mostPercent.falls}: nothing falls further` }),
  ({ value, issues }) => {
    for (const { field, error } of impossibleFields(value))
      issues.push({ code: 'custom', path: [field], message: error, input: value })
  },
)
