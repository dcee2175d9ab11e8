import { z } from 'zod'
import type { suggestionsAnswer } from '../../../contract/autopilot-decisions.ts'
import type { Tool } from '../tool.ts'

const most = 50
const input = z.object({})

export const autopilot: Tool<typeof input> = {
  name: 'autopilot',
  title: 'What the autopilot would do',
  description: `The current decisions of the account's price rules for its machines, with reasons: at most ${most}. It only reads: rules and prices are changed on the page or by the API.`,
  input,
  path: () => '/api/v0/metrics/autopilot/suggestions',
  summarize: ({ stopped, suggestions }: z.output<typeof suggestionsAnswer>) => ({
    figures: ['price', 'floor', 'new_price'],
    data: { stopped, count: suggestions.length, suggestions: suggestions.slice(0, most) },
    note: suggestions.length > most ? `${suggestions.length - most} more.` : undefined,
  }),
}
