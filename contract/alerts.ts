import { z } from 'zod'
import { alertCondition, checkedCondition } from './alert-conditions.ts'
import { alertLimits } from './alert-kinds.ts'
import { chatTitles } from './chat-services.ts'
import { epoch, epochOut, named, webhookSecret } from './fields.ts'
import { isPlainUrl } from './plain-url.ts'
import { sourceName } from './sources.ts'

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

/** The body that creates or replaces a rule. */
export const alertBody = named('AlertRuleSettings', {
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
    .describe('Sends mail to the verified address of the person who creates the rule'),
  webhook_url: z
    .string()
    .max(2000)
    .refine(isPlainUrl, { error: 'must be an https address without user, password and fragment' })
    .nullable()
    .default(null)
    .describe(
      `Receives each message by POST, as signed JSON. A new address gets a new secret. An address that ${chatTitles} gave out receives text, and no secret`,
    ),
})
export type AlertBody = z.infer<typeof alertBody>

const entry = {
  machine_id: z.int().nullable().describe('Set for rules on own machines'),
  since: epochOut.describe('Unix seconds: since when the condition has held'),
  value: z.number().nullable().describe('The observed value'),
  limit: z.number().nullable().describe('The threshold that was crossed, in the unit of the value'),
  before: z
    .number()
    .optional()
    .describe('With `falls` and `rises`: the earlier value that it is compared with'),
}

/** One alert event: a rule fired or resolved for one subject at one slot. */
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
  webhook_gone: z.boolean().describe('True: the receiver answered 410, so no more messages are sent to it'),
  silenced_until: epochOut.nullable().describe('Time until which the rule sends nothing'),
  status: z.enum(['ok', 'firing', 'stopped']),
  stop_reason: z.string().nullable().describe('The reason why the rule is not evaluated'),
  firing: z.array(z.object(entry)).describe('Subjects for which the rule is firing now'),
  has_data: z
    .boolean()
    .nullable()
    .describe('True if the market has data on the GPU name; null: the rule names none'),
  created_at: epochOut,
})
export type AlertRule = z.infer<typeof alertRule>

export const alertRuleAnswer = named('AlertRuleAnswer', { success: z.literal(true), rule: alertRule })

/** Response to creating or replacing a rule. */
export const writtenAlertRule = named('WrittenAlertRule', {
  success: z.literal(true),
  rule: alertRule,
  webhook_secret: webhookSecret,
})

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
    .describe('Seconds of history to evaluate; if there is less, all of it is used'),
})

export const alertTried = z.object({
  success: z.literal(true),
  from: z.int().describe('Unix seconds: the range of slots that were evaluated'),
  to: z.int(),
  slots: z.int().describe('Number of evaluated slots'),
  fired: z.int().describe('Number of times that the rule would have fired'),
  now: z
    .object({
      value: z.number().nullable(),
      before: z
        .number()
        .nullable()
        .describe('With `falls` and `rises`: the earlier value that it is compared with'),
      limit: z
        .number()
        .nullable()
        .describe('The threshold at which the rule fires, in the unit of the value'),
    })
    .nullable()
    .describe(
      'For a rule on a figure: the value at the newest of these slots (null: unknown). null for other rules',
    ),
  entries: z
    .array(alertEntry.extend({ slot: z.int().describe('Unix seconds') }))
    .describe('The messages it would have sent, at most the first 1,000'),
})
export type AlertTried = z.infer<typeof alertTried>

export const alertSilence = z.object({
  until: epoch.nullable().describe('Unix seconds. The rule sends nothing until then; null: end the silence'),
})
