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
    'Where no price is recommended: one step up when more percent of the machine were rented since its price was first seen, one step down when fewer were. It counts after 24 hours at the price. null: nothing is done then',
  )

/** What a rule aims at. */
export const autopilotTarget = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('recommended'), own_results: ownResults }),
    z.object({ kind: z.literal('percentile'), percentile: z.int().min(1).max(99) }),
    z.object({ kind: z.literal('median'), offset_percent: z.number().min(-50).max(50).default(0) }),
  ])
  .describe(
    '`recommended`: the price that the advice of own machines recommends. `percentile`: of the available GPUs of others of its class. `median`: their median, and so many percent on it',
  )
  .meta({ id: 'AutopilotTarget' })

const rails = {
  floor: autopilotPrice
    .nullable()
    .default(null)
    .describe(
      'USD per GPU-hour. No price below it is set. The minimum bid of the costs holds as well: the higher one wins. null: only that of the costs',
    ),
  ceiling: autopilotPrice.nullable().default(null).describe('USD per GPU-hour. No price above it is set'),
  largest_step: z
    .number()
    .min(0.005)
    .max(autopilotLimits.largestStep)
    .default(0.1)
    .describe('The largest change at once, as a share of the price'),
  hours_between: z
    .number()
    .min(0)
    .max(autopilotLimits.hours)
    .default(6)
    .describe('Fewest hours from one change of a machine to the next'),
  changes_a_day: z
    .int()
    .min(1)
    .max(autopilotLimits.changesADay)
    .default(4)
    .describe('The most changes of a machine within 24 hours'),
  quiet: z
    .object({ from: z.int().min(0).max(23), to: z.int().min(0).max(23) })
    .nullable()
    .default(null)
    .describe('Hours of the day in UTC in which nothing is changed, from `from` up to `to`'),
  idle: z
    .object({
      hours: z.int().min(1).max(autopilotLimits.hours),
      drop_percent: z.number().min(0.5).max(50),
    })
    .nullable()
    .default(null)
    .describe('Once nothing is rented for so many hours, it asks so many percent less than the target'),
}

/** What is written of a rule. */
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
      .describe('One machine of the account. A rule on it wins over rules on more machines'),
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
        'Where a price is set, instead of at the marketplace: each change is posted there, signed. A new address has a new secret',
      ),
    email: z
      .boolean()
      .default(false)
      .describe('Mail of each change and refusal to the verified address of the person who writes the rule'),
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
      '`suggest`: it only shows what it would do. `dry_run`: it also keeps a record as if it were done. `live`: it sets prices',
    ),
  dry_run_since: epochOut.nullable().describe('Since when it has been in a dry run; null: it has not'),
  live_from: epochOut
    .nullable()
    .describe('From when the dry run is long enough for `live`, 24 hours; null: there is none'),
  stop_reason: z
    .string()
    .nullable()
    .describe('Why the rule does nothing now; setting its stage starts it again'),
  created_at: epochOut,
})
export type AutopilotRule = z.infer<typeof autopilotRule>

/** The answer to who writes a rule. */
export const writtenAutopilotRule = named('WrittenAutopilotRule', {
  success: z.literal(true),
  rule: autopilotRule,
  webhook_secret: webhookSecret,
})

export const autopilotStageBody = z.strictObject({ stage: z.enum(autopilotStages) })
