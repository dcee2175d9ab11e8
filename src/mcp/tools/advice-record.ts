import { z } from 'zod'
import type { adviceRecordAnswer } from '../../../contract/advice-record.ts'
import { isoOf, type Tool } from '../tool.ts'

const most = 50
const input = z.object({})

export const adviceRecord: Tool<typeof input> = {
  name: 'advice_record',
  title: 'Track record of the advice on own prices',
  description: `The advice to raise, lower or try prices that the machines of the key's account were given in 90 days, and what the machines earned a day before and after it, for advice that was followed and for advice that was not. The newest ${most} pieces.`,
  input,
  path: () => '/api/v0/metrics/machines/advice/record',
  summarize: ({ followed, not_followed, advice }: z.output<typeof adviceRecordAnswer>) => ({
    figures: ['advice_outcomes', 'given_advice'],
    data: {
      followed,
      not_followed,
      advice: advice.slice(0, most).map(({ given_at, ...one }) => ({ ...one, given_at: isoOf(given_at) })),
    },
    note: advice.length > most ? `${advice.length - most} older pieces are left out.` : undefined,
  }),
}
