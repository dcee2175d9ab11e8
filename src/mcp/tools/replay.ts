import { z } from 'zod'
import { type MachineReplay, replayRules } from '../../../contract/replay.ts'
import { pathOf, type Tool } from '../tool.ts'

const input = z.object({
  machine: z.int().min(1).describe('The id of a machine of the account. The tool own_machines lists them'),
  days: z.int().min(1).max(30).optional().describe('Number of days back. Default: 7'),
  rule: z
    .enum(replayRules)
    .optional()
    .describe(
      'hold: one price. follow: a percentile of its class. drop: less for each idle day. Default: hold',
    ),
  price: z
    .number()
    .positive()
    .optional()
    .describe('USD per GPU-hour. Default: its first asking price in these days'),
  percentile: z.int().min(1).max(99).optional().describe('Percentile for follow. Default: 40'),
  drop: z.int().min(1).max(50).optional().describe('Percent a day for drop. Default: 5'),
})

export const replay: Tool<typeof input> = {
  name: 'replay',
  title: 'What an own machine would have earned',
  description:
    'The simulated income of an own machine in the last days at another price or under a rule, with the interval that holds 8 of 10 cases, beside its actual income.',
  input,
  path: ({ machine, ...asked }) => pathOf(`/api/v0/metrics/machines/${machine}/replay`, asked),
  summarize: ({ asked, covered_seconds, expected, actual, unknown_costs, reason }: MachineReplay) => ({
    figures: ['expected', 'actual', 'covered_seconds'],
    data: { asked, covered_seconds, expected, actual, unknown_costs },
    note: reason,
  }),
}
