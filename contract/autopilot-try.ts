import { z } from 'zod'
import { autopilotBody } from './autopilot.ts'
import { dryRunReplay } from './autopilot-decisions.ts'
import { autopilotLimits } from './autopilot-kinds.ts'
import { named } from './fields.ts'

/** The body that tries a rule on the past. */
export const autopilotTry = z.strictObject({
  rule: autopilotBody,
  days: z
    .int()
    .min(1)
    .max(autopilotLimits.triedDays)
    .default(7)
    .describe('Days of history before the newest whole hour; if there is less, all of it is used'),
})

const { from, to, machines, left_out, total } = dryRunReplay.shape

/** The prices that a rule would have set in the past, and the simulated income beside the actual one. */
export const autopilotTried = named('AutopilotTried', {
  success: z.literal(true),
  from: from.unwrap().describe('Unix seconds: the first hour'),
  to,
  of: z
    .int()
    .describe(
      `Number of machines that the rule is on and that were tried: the first ${autopilotLimits.replayed} by GPU and id`,
    ),
  changed: z.int().describe('Number of machines whose price would have been changed'),
  changes: z.int().describe('Number of changes'),
  raised: z.int().describe('Number of changes that raise a price'),
  no_floor: z.int().describe('Number of machines without a floor: no price of them is changed'),
  hindsight: z
    .boolean()
    .describe(
      "True if the rule follows the recommended price: past advice is not stored, so today's is used. It knows the days that are tried, so the result is too good",
    ),
  machines,
  left_out: left_out.describe(
    `Number of further machines with a changed price. At most ${autopilotLimits.replayed} are replayed and are in \`total\`; fewer if they have many GPUs`,
  ),
  total,
})
export type AutopilotTried = z.infer<typeof autopilotTried>
