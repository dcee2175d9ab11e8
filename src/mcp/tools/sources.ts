import { z } from 'zod'
import type { sourcesAnswer } from '../../../contract/sources.ts'
import { isoOf, type Tool } from '../tool.ts'

const input = z.object({})

export const sources: Tool<typeof input> = {
  name: 'sources',
  title: 'Sources',
  description:
    'The markets that the site records, if there are several: the values of `source` of the other tools.',
  input,
  path: () => '/api/v0/metrics/sources',
  summarize: ({ sources: found }: z.output<typeof sourcesAnswer>) => ({
    figures: [],
    data: {
      sources: found.map(({ name, newest_slot }) => ({ name, newest: newest_slot && isoOf(newest_slot) })),
    },
    note: found.length > 1 ? undefined : 'The site has one market. Omit `source`.',
  }),
}
