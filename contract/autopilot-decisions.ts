import { z } from 'zod'
import { autopilotMachine, autopilotPrice, autopilotSource } from './autopilot.ts'
import { autopilotLimits, autopilotRefusals, autopilotStages } from './autopilot-kinds.ts'
import { epochOut, named } from './fields.ts'
import { replayAnswer, replayEstimate } from './replay.ts'
import { nextToken } from './search.ts'

/** The decision that a rule would make about a machine now. */
export const autopilotSuggestion = named('AutopilotSuggestion', {
  rule_id: z.int(),
  machine_id: z.int(),
  gpu_name: z.string(),
  source: z.string().nullable(),
  price: z.number().nullable().describe('The listed price, USD per GPU-hour'),
  floor: z.number().nullable().describe("The floor in force: the higher one of the rule's and the costs'"),
  kind: z.enum(['change', 'refusal', 'none']),
  new_price: z.number().nullable().describe('The new price; only for a change'),
  refusal: z.enum(autopilotRefusals).nullable(),
  reason: z.string().describe('The reason, with the figures'),
})
export type AutopilotSuggestion = z.infer<typeof autopilotSuggestion>

export const suggestionsAnswer = z.object({
  success: z.literal(true),
  stopped: z.boolean().describe('True if the account has stopped all rules'),
  suggestions: z.array(autopilotSuggestion),
})

const decisionStates = ['noted', 'decided', 'called', 'answered', 'read_back', 'failed'] as const

export const autopilotDecision = named('AutopilotDecision', {
  id: z.string().describe('The same in every call and its repeats'),
  rule_id: z.int().nullable().describe('null: changed by hand, or the rule was deleted'),
  source: z.string().nullable(),
  machine_id: z.int(),
  gpu_name: z.string(),
  kind: z.enum(['change', 'refusal', 'hand', 'undo']),
  stage: z.enum(autopilotStages),
  old_price: z.number().nullable(),
  new_price: z.number().nullable(),
  refusal: z.string().nullable(),
  reason: z.string(),
  figures: z.record(z.string(), z.unknown()).describe('The figures that the decision is based on'),
  adapter: z
    .enum(['marketplace', 'api', 'webhook', 'command'])
    .nullable()
    .describe('The way in which the price is set'),
  state: z
    .enum(decisionStates)
    .describe(
      '`noted`: there is no call to make. `decided`, `called`, `answered`: in progress. `read_back`: done, and the price was read back where possible. `failed`: given up',
    ),
  attempts: z.int(),
  answer: z.string().nullable().describe('Response of the call'),
  read_price: z.number().nullable().describe('The price read after the call; null: it cannot be read'),
  undoes: z.string().nullable().describe('For `undo`: the decision that it reverts'),
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

/** The changes of one request by hand. */
export const applyBody = z.strictObject({
  source: autopilotSource,
  changes: z
    .array(
      z.strictObject({
        machine_id: autopilotMachine,
        from: autopilotPrice.describe(
          'The price that the host saw. If it is another one now, nothing is changed',
        ),
        price: autopilotPrice.describe('The new price'),
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
    .describe(
      'One result for each change, in the same order: the decision `hand`, or `refusal` with its reason',
    ),
})

const { from, to, covered_seconds, missing, reason } = replayAnswer.shape

const earnedBoth = {
  expected: replayEstimate.describe('Simulated income, USD'),
  actual: z.number().describe('Actual income, USD'),
}

/** The simulated income of a dry run. */
export const dryRunReplay = named('DryRunReplay', {
  rule_id: z.int(),
  from: from.nullable().describe('Unix seconds: when the dry run began; null: there is none'),
  to: to.describe('Unix seconds: the newest whole hour'),
  machines: z
    .array(
      named('DryRunMachine', {
        machine_id: z.int(),
        gpu_name: z.string(),
        changes: z.int().describe('Number of times that its price would have been changed'),
        covered_seconds,
        earned: z.object(earnedBoth).nullable().describe('null: `missing` has the reason'),
        missing,
        reason,
      }),
    )
    .describe(
      'Machines whose price would have been changed, most changes first. The income of all others would be the same',
    ),
  left_out: z
    .int()
    .describe(
      `Number of further machines. At most ${autopilotLimits.replayed} are replayed and are in \`total\`; fewer for a long dry run of many GPUs`,
    ),
  total: z
    .object(earnedBoth)
    .nullable()
    .describe('Sum over the machines whose result is known; null: there are none'),
})
export type DryRunReplay = z.infer<typeof dryRunReplay>

export const dryRunAnswer = z.object({ success: z.literal(true), replay: dryRunReplay })
