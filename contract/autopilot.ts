import { z } from 'zod'
import { autopilotLimits, autopilotStages } from './autopilot-kinds.ts'
import { epochOut, greatestMachine, named, webhookSecret } from './fields.ts'
import { askedName, normalName } from './gpu-names.ts'
import { isPlainUrl } from './plain-url.ts'
import { sourceName } from './sources.ts'

export const autopilotPrice = z.number().positive().max(autopilotLimits.highestPrice)

export const autopilotSource = z
  .string()
  .regex(sourceName, 'must be the name of a source')
  .nullable()
  .default(null)
  .describe('The market, by the name of its source (`GET /api/v0/metrics/sources`); null: the first one')

export const autopilotMachine = z.int().min(1).max(greatestMachine)

const ownResults = z
  .object({
    raise_above: z.number().min(1).max(100),
    lower_below: z.number().min(0).max(99),
  })
  .refine(({ raise_above, lower_below }) => lower_below <= raise_above, {
    path: ['lower_below'],
    error: 'must not be above raise_above',
  })
  .nullable()
  .default(autopilotLimits.ownResults)
  .describe(
    'If no price is recommended: one step up if occupancy at this price exceeds `raise_above` percent, one step down if it is below `lower_below`. Applies after 24 hours at the price. null: no change then',
  )

/** The target of a rule. */
export const autopilotTarget = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('recommended'), own_results: ownResults }),
    z.object({ kind: z.literal('percentile'), percentile: z.int().min(1).max(99) }),
    z.object({ kind: z.literal('median'), offset_percent: z.number().min(-50).max(50).default(0) }),
  ])
  .describe(
    '`recommended`: the price that the advice of own machines recommends. `percentile`: a percentile of the available GPUs of other hosts in its class. `median`: their median plus `offset_percent`',
  )
  .meta({ id: 'AutopilotTarget' })

const rails = {
  floor: autopilotPrice
    .nullable()
    .default(null)
    .describe(
      'USD per GPU-hour. No price below it is set. The minimum bid of the costs is a floor as well, and the higher one applies. null: only the minimum bid',
    ),
  ceiling: autopilotPrice.nullable().default(null).describe('USD per GPU-hour. No price above it is set'),
  largest_step: z
    .number()
    .min(0.005)
    .max(autopilotLimits.largestStep)
    .default(0.1)
    .describe('The largest single change, as a share of the price'),
  hours_between: z
    .number()
    .min(0)
    .max(autopilotLimits.hours)
    .default(6)
    .describe('Least hours between two changes of a machine'),
  changes_a_day: z
    .int()
    .min(1)
    .max(autopilotLimits.changesADay)
    .default(4)
    .describe('Most changes of a machine within 24 hours'),
  quiet: z
    .object({ from: z.int().min(0).max(23), to: z.int().min(0).max(23) })
    .nullable()
    .default(null)
    .describe('Hours of the day in UTC without changes, from `from` up to `to`'),
  idle: z
    .object({
      hours: z.int().min(1).max(autopilotLimits.hours),
      drop_percent: z.number().min(0.5).max(50),
    })
    .nullable()
    .default(null)
    .describe('After `hours` without a rental, the price is `drop_percent` below the target'),
}

/** The body that creates or replaces a rule. */
export const autopilotBody = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(autopilotLimits.name)
      .refine((name) => !/\p{Cc}/u.test(name), { error: 'must have no control characters' }),
    source: autopilotSource,
    machine_id: autopilotMachine
      .nullable()
      .default(null)
      .describe('One machine of the account. It takes precedence over rules on more machines'),
    gpu_name: z
      .string()
      .max(64)
      .refine((name) => askedName.test(normalName(name)), { error: 'must be the name of a GPU' })
      .nullable()
      .default(null)
      .describe('All machines of the account with this GPU; null beside `machine_id` null: all machines'),
    target: autopilotTarget,
    ...rails,
    webhook_url: z
      .string()
      .max(2000)
      .refine(isPlainUrl, { error: 'must be an https address without user, password and fragment' })
      .nullable()
      .default(null)
      .describe(
        'The address that sets prices, instead of the marketplace: each change is posted there, signed. A new address gets a new secret',
      ),
    email: z
      .boolean()
      .default(false)
      .describe(
        'Sends mail about each change and refusal to the verified address of the person who creates the rule',
      ),
  })
  .refine(({ machine_id, gpu_name }) => machine_id === null || gpu_name === null, {
    path: ['gpu_name'],
    error: 'must be null beside machine_id',
  })
  .refine(({ floor, ceiling }) => floor === null || ceiling === null || floor <= ceiling, {
    path: ['floor'],
    error: 'must not be above the ceiling',
  })
  .meta({ id: 'AutopilotRuleSettings' })
export type AutopilotBody = z.output<typeof autopilotBody>

export const autopilotRule = named('AutopilotRule', {
  id: z.int(),
  name: z.string(),
  source: z.string().nullable(),
  machine_id: z.int().nullable(),
  gpu_name: z.string().nullable(),
  target: autopilotTarget,
  floor: z.number().nullable(),
  ceiling: z.number().nullable(),
  largest_step: z.number(),
  hours_between: z.number(),
  changes_a_day: z.int(),
  quiet: z.object({ from: z.int(), to: z.int() }).nullable(),
  idle: z.object({ hours: z.int(), drop_percent: z.number() }).nullable(),
  webhook_url: z.string().nullable(),
  email: z.boolean(),
  stage: z
    .enum(autopilotStages)
    .describe(
      '`suggest`: it only shows its decisions. `dry_run`: it also keeps a record as if they were carried out. `live`: it sets prices',
    ),
  dry_run_since: epochOut.nullable().describe('Begin of its dry run; null: it has had none'),
  live_from: epochOut
    .nullable()
    .describe(
      'Time at which the dry run will be long enough for `live` (24 hours); null: there is no dry run',
    ),
  stop_reason: z
    .string()
    .nullable()
    .describe('The reason why the rule is stopped; setting its stage starts it again'),
  created_at: epochOut,
})
export type AutopilotRule = z.infer<typeof autopilotRule>

/** Response to creating or replacing a rule. */
export const writtenAutopilotRule = named('WrittenAutopilotRule', {
  success: z.literal(true),
  rule: autopilotRule,
  webhook_secret: webhookSecret,
})

export const autopilotStageBody = z.strictObject({ stage: z.enum(autopilotStages) })
