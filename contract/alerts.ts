import { z } from 'zod'
import { alertLimits, alertStatistics } from './alert-kinds.ts'
import { eventKinds } from './events.ts'
import { epoch, epochOut, greatestMachine, named } from './fields.ts'
import { askedName, normalName } from './gpu-names.ts'
import { hostingChoices, verifiedChoices } from './market-filter.ts'
import { isPlainUrl } from './plain-url.ts'
import { sourceName } from './sources.ts'

const gpuName = z
  .string()
  .max(64)
  .refine((name) => askedName.test(normalName(name)), { error: 'must be the name of a GPU' })
  .describe(
    'GPU name. Case does not matter, and `_` matches a space. A rule on a name without data never fires',
  )
const verified = z.enum(verifiedChoices).default('yes')
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

const statisticCondition = z.object({
  kind: z.literal('statistic'),
  gpu_name: gpuName,
  verified,
  hosting_type: z.enum(hostingChoices).default('all'),
  num_gpus: z.int().min(0).max(1024).default(0).describe('Only rigs with this many GPUs; 0: all'),
  statistic: z
    .enum(alertStatistics)
    .describe(
      'A field of the history; `occupancy`: share of the GPUs that are rented, 0 to 1; `fill_rate`: rentals per GPU-hour over seven days; `list_price`: the lowest on-demand list price of a cloud, to which the other filters do not apply',
    ),
  is: z.enum(['above', 'below']),
  limit: z.number().min(0).max(1_000_000_000).describe('In the unit of the statistic'),
  clears_at: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .default(null)
    .describe('The rule resolves only once the value is beyond this one; null: `limit`'),
  slots,
})
const eventCondition = z.object({
  kind: z.literal('event'),
  gpu_name: gpuName,
  verified,
  event: z.enum(eventKinds).describe('As in GET /api/v0/metrics/gpu/events'),
})
const idleCondition = z.object({
  kind: z.literal('machine_idle'),
  machine_id: machineId,
  hours: z.int().min(1).max(alertLimits.hours).describe('Hours for which none of its GPUs has been rented'),
})
const bandCondition = z.object({
  kind: z.literal('machine_price'),
  machine_id: machineId,
  slots,
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

/** What a rule watches. */
export const alertCondition = z
  .discriminatedUnion('kind', [
    statisticCondition,
    eventCondition,
    idleCondition,
    bandCondition,
    endCondition,
    ageCondition,
  ])
  .describe(
    '`statistic`: a figure of the market is above or below a limit. `event`: an event of the market. `machine_idle`: an own machine is on the market and not rented. `machine_price`: the price of an own machine is outside the p10–p90 range of its class. `listing_ends`: the listing of an own machine ends soon. `data_age`: the newest snapshot is old',
  )
  .meta({ id: 'AlertCondition' })
export type AlertCondition = z.infer<typeof alertCondition>

const clearsBeyond = (condition: AlertCondition): boolean =>
  condition.kind !== 'statistic' ||
  condition.clears_at === null ||
  (condition.is === 'above' ? condition.clears_at <= condition.limit : condition.clears_at >= condition.limit)

const checkedCondition = alertCondition.refine(clearsBeyond, {
  path: ['clears_at'],
  error: 'must be at most the limit of `above`, and at least that of `below`',
})

const watchedSource = z
  .string()
  .regex(sourceName, 'must be the name of a source')
  .nullable()
  .default(null)
  .describe(
    'The market that is watched, by the name of its source (`GET /api/v0/metrics/sources`); null: the first one',
  )

const sourceOut = z
  .string()
  .nullable()
  .describe('The source of the market that the rule watches; null: the first one')

/** What is written of a rule. */
export const alertBody = z.object({
  source: watchedSource,
  name: z
    .string()
    .trim()
    .min(1)
    .max(alertLimits.name)
    .refine((name) => !/\p{Cc}/u.test(name), { error: 'must have no control characters' }),
  condition: checkedCondition,
  email: z
    .boolean()
    .default(false)
    .describe('Send mail to the verified address of the person who writes the rule'),
  webhook_url: z
    .string()
    .max(2000)
    .refine(isPlainUrl, { error: 'must be an https address without user, password and fragment' })
    .nullable()
    .default(null)
    .describe('Receives each message by POST. A new address gets a new secret'),
})
export type AlertBody = z.infer<typeof alertBody>

const entry = {
  machine_id: z.int().nullable().describe('Set for rules on own machines'),
  since: epochOut.describe('Unix seconds: since when the condition has held'),
  value: z.number().nullable().describe('What was seen'),
  limit: z.number().nullable().describe('The threshold that was crossed'),
}

/** What a rule says of one thing at one slot. */
export const alertEntry = named('AlertEntry', {
  what: z.enum(['fired', 'resolved']),
  ...entry,
  text: z.string().describe('The same in words'),
  recommended: z
    .object({ price: z.number().nullable(), basis: z.enum(['net', 'gross']) })
    .optional()
    .describe(
      'When a price fires: the price to ask instead, as in `figures.advice` of own machines; null: not known',
    ),
})
export type AlertEntry = z.infer<typeof alertEntry>

export const alertRule = named('AlertRule', {
  id: z.int(),
  name: z.string(),
  source: sourceOut,
  condition: alertCondition,
  email: z.boolean(),
  webhook_url: z.string().nullable(),
  webhook_gone: z.boolean().describe('The receiver answered 410, so nothing more is sent to it'),
  silenced_until: epochOut.nullable().describe('Until then the rule sends nothing'),
  status: z.enum(['ok', 'firing', 'stopped']),
  stop_reason: z.string().nullable().describe('Why the rule is not evaluated'),
  firing: z.array(z.object(entry)).describe('What the rule is firing for now'),
  has_data: z
    .boolean()
    .nullable()
    .describe('Whether the market has data on the GPU name; null: the rule names none'),
  created_at: epochOut,
})
export type AlertRule = z.infer<typeof alertRule>

export const alertSecret = z
  .string()
  .nullable()
  .describe('The secret that signs webhook requests. Returned only when the address is new, and only here')

export const alertMessage = named('AlertMessage', {
  id: z.string().describe('The same in every delivery: the header `webhook-id`'),
  rule_id: z.int(),
  name: z.string(),
  source: sourceOut,
  slot: z.int().describe('Unix seconds: the market snapshot'),
  entries: z.array(alertEntry),
  webhook: z
    .enum(['waiting', 'delivered', 'failed'])
    .nullable()
    .describe('State of the delivery; null: the rule had no webhook'),
  attempts: z.int(),
  webhook_status: z.int().nullable().describe("Status of the receiver's last answer; null: none"),
})
export type AlertMessage = z.infer<typeof alertMessage>

export const alertTry = z.object({
  source: watchedSource,
  condition: checkedCondition,
  days: z
    .int()
    .min(1)
    .max(alertLimits.tryDays)
    .default(30)
    .describe('How far back to go; if there is less history, all of it is used'),
})

export const alertTried = z.object({
  success: z.literal(true),
  from: z.int().describe('Unix seconds: the range of slots that were evaluated'),
  to: z.int(),
  slots: z.int().describe('How many they are'),
  fired: z.int().describe('How often the rule would have fired'),
  entries: z
    .array(alertEntry.extend({ slot: z.int().describe('Unix seconds') }))
    .describe('The messages it would have sent, at most the first 1,000'),
})
export type AlertTried = z.infer<typeof alertTried>

export const alertSilence = z.object({
  until: epoch.nullable().describe('Unix seconds. The rule sends nothing until then; null: end the silence'),
})
