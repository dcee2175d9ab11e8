import { z } from 'zod'
import type { TermAdviceAnswer } from '../../../contract/income-by-terms.ts'
import type { Tool } from '../tool.ts'

const input = z.object({})

export const termAdvice: Tool<typeof input> = {
  name: 'term_advice',
  title: 'Advice on terms of own machines',
  description:
    "The smallest part, the time until the listing ends and the minimum bid with which others like each machine of the key's account earned more a day, and the sum over the machines. Observed, not caused.",
  input,
  path: () => '/api/v0/metrics/machines/term-advice',
  summarize: ({ to, days, advice, sums, left_out }: TermAdviceAnswer) => {
    const found = advice.filter(({ better }) => better !== null)
    const others = advice.length - found.length
    const notes = [
      ...(others > 0 ? [`${others} pairs of machine and term without advice.`] : []),
      ...(left_out > 0 ? [`${left_out} more machines.`] : []),
    ]
    return {
      figures: ['income_more'],
      data: { to, days, sums, advice: found },
      note: notes.join(' ') || undefined,
    }
  },
}
