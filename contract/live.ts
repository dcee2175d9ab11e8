import { z } from 'zod'
import { integer } from './history.ts'

/** The longest stream in seconds. Then its client connects again, and its key is checked again. */
export const longestStream = 300

export const liveQuery = z.object({
  seconds: integer(
    `Seconds until the stream ends, at most ${longestStream}. 0: after the first event.`,
    'seconds must be an integer',
  )
    .refine((seconds) => seconds >= 0 && seconds <= longestStream, {
      error: `seconds must be between 0 and ${longestStream}`,
    })
    .default(longestStream),
})

/** The data of an event. */
export const seriesEvent = z.object({
  revision: z.int().describe('Changes whenever answers about the market may change'),
  newest_slot: z.int().describe('Unix seconds; 0: there is none'),
  delay: z.int().describe('Seconds by which the site shows newest slots late'),
  filling: z
    .number()
    .nullable()
    .describe('Share of the simulated history that is filled, 0 to 1; null: nothing is being filled'),
  notices: z
    .array(z.string())
    .describe('Sentences about a full disk and about damaged or lost figures, which every page shows'),
})
export type SeriesEvent = z.infer<typeof seriesEvent>
