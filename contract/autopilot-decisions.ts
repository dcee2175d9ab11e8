import { z } from 'zod'
import { autopilotMachine, autopilotPrice, autopilotSource } from './autopilot.ts'
import { autopilotLimits, autopilotRefusals, autopilotStages } from './autopilot-kinds.ts'
import { epochOut, named } from './fields.ts'
import { replayAnswer, replayEstimate } from './replay.ts'
import { nextToken } from './search.ts'

/** What a rule would do with a machine now. */
export const autopilotSuggestion = named('AutopilotSuggestion', {
  rule_id: z.int(),
  machine_id: z.int(),
  gpu_name: z.string(),
  source: z.string().nullable(),
  price: z.number().nullable().describe('USD per GPU-hour that is listed now'),
  floor: z.number().nullable().describe('The floor that holds, of the rule and the costs'),
  kind: z.enum(['change', 'refusal', 'none']),
  new_price: z.number().nullable().describe('Of a change'),
  refusal: z.enum(autopilotRefusals).nullable(),
  reason: z.string().describe('Why, with the figures'),
})
export type AutopilotSuggestion = z.infer<typeof autopilotSuggestion>

export const suggestionsAnswer = z.object({
  success: z.literal(true),
  stopped: z.boolean().describe('Whether the account has stopped all rules'),
  suggestions: z.array(autopilotSuggestion),
})

const decisionStates = ['noted', 'decided', 'called', 'answered', 'read_back', 'failed'] as const

export const autopilotDecision = named('AutopilotDecision', {
  id: z.string().describe('The same in every call and repeat of it'),
  rule_id: z.int().nullable().describe('null: by hand, or the rule was deleted'),
  source: z.string().nullable(),
  machine_id: z.int(),
  gpu_name: z.string(),
  kind: z.enum(['change', 'refusal', 'hand', 'undo']),
  stage: z.enum(autopilotStages),
  old_price: z.number().nullable(),
  new_price: z.number().nullable(),
  refusal: z.string().nullable(),
  reason: z.string(),
  figures: z.record(z.string(), z.unknown()).describe('What it was decided from'),
  adapter: z.enum(['marketplace', 'api', 'webhook', 'command']).nullable().describe('How the price is set'),
  state: z
    .enum(decisionStates)
    .describe(
      '`noted`: nothing is to be called. `decided`, `called`, `answered`: on its way. `read_back`: done, and the price was read where it can be. `failed`: given up',
    ),
  attempts: z.int(),
  answer: z.string().nullable().describe('What the call answered'),
  read_price: z
    .number()
    .nullable()
    .describe('The price that was read behind the call; null: it cannot be read'),
  undoes: z.string().nullable().describe('Of `undo`: the decision that it takes back'),
  created_at: epochOut,
  done_at: epochOut.nullable(),
})
export type AutopilotDecision = z.infer<typeof autopilotDecision>

export const decisionsAnswer = z.object({
  success: z.literal(true),
  decisions: z.array(autopilotDecision),
  next_token: nextToken,
})

export const auditAnswer = z.object({
  success: z.literal(true),
  decisions: z.array(autopilotDecision.extend({ account_id: z.int(), account: z.string() })),
  next_token: nextToken,
})

export const stopBody = z.strictObject({
  stopped: z.boolean().describe('true: no rule of the account changes anything until it is false again'),
})
export const stopAnswer = z.object({ success: z.literal(true), stopped: z.boolean() })

/** What is changed once by hand. */
export const applyBody = z.strictObject({
  source: autopilotSource,
  changes: z
    .array(
      z.strictObject({
        machine_id: autopilotMachine,
        from: autopilotPrice.describe(
          'The price that was looked at. Is it another one now, nothing is changed',
        ),
        price: autopilotPrice.describe('The price wanted'),
      }),
    )
    .min(1)
    .max(autopilotLimits.byHand)
    .refine((changes) => new Set(changes.map(({ machine_id }) => machine_id)).size === changes.length, {
      error: 'must name each machine once',
    }),
})

export const applyAnswer = z.object({
  success: z.literal(true),
  decisions: z
    .array(autopilotDecision)
    .describe('One for each change, in this order: `hand`, or `refusal` with its reason'),
})

const { from, to, covered_seconds, missing, reason } = replayAnswer.shape

const earnedBoth = {
  expected: replayEstimate.describe('USD that would have been earned'),
  actual: z.number().describe('USD that was earned'),
}

/** What a dry run would have earned. */
export const dryRunReplay = named('DryRunReplay', {
  rule_id: z.int(),
  from: from.nullable().describe('Unix seconds: when the dry run began; null: there is none'),
  to: to.describe('Unix seconds: the newest whole hour'),
  machines: z
    .array(
      named('DryRunMachine', {
        machine_id: z.int(),
        gpu_name: z.string(),
        changes: z.int().describe('How often its price would have been changed'),
        covered_seconds,
        earned: z.object(earnedBoth).nullable().describe('null: `missing` says why'),
        missing,
        reason,
      }),
    )
    .describe(
      'Those whose price would have been changed, most changes first. The others earn what they earned',
    ),
  left_out: z
    .int()
    .describe(
      `How many more there are. At most ${autopilotLimits.replayed} are replayed and are in \`total\`, and fewer of a long dry run of many GPUs`,
    ),
  total: z.object(earnedBoth).nullable().describe('Of all machines that are known; null: of none'),
})
export type DryRunReplay = z.infer<typeof dryRunReplay>

export const dryRunAnswer = z.object({ success: z.literal(true), replay: dryRunReplay })
