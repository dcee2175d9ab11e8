import { z } from 'zod'
import { chartChoices, mostCompared } from './chart-choices.ts'
import { hour } from './durations.ts'
import { epochOut, named } from './fields.ts'
import { gpuHistory } from './history.ts'

/** Pixels of the picture of a shared chart, in the shape of link previews. */
export const sharedPicture = { width: 1200, height: 630 } as const

const longestRange = 5 * 31_536_000

const choice = <Choice extends string>(choices: readonly [Choice, ...Choice[]], description: string) =>
  z.enum(choices).default(choices[0]).describe(description)

/** The content of a shared chart. */
export const sharedChart = named('SharedChart', {
  query: z
    .string()
    .max(2000)
    .meta({
      description: `The query string of GET /api/v0/metrics/gpu/history, with ${mostCompared} GPU names at most, and not \`all\`. Also \`source\``,
      example: 'gpu_name=RTX+4090&verified=yes',
    }),
  last: z
    .int()
    .min(hour)
    .max(longestRange)
    .nullable()
    .default(null)
    .describe('The chart always shows the last `last` seconds. `query` must have no `start` and no `end`'),
  metric: choice(chartChoices.metric, 'What the chart shows'),
  unit: choice(chartChoices.unit, 'What `supply` counts'),
  side: choice(chartChoices.side, 'Which prices of several GPU names are compared'),
  score: choice(chartChoices.score, 'Which score `value` divides by the price'),
  axis: choice(chartChoices.axis, 'Prices of several GPU names in USD, or in per cent since the start'),
  zone: choice(chartChoices.zone, 'The time zone of the axis: that of the reader, or UTC'),
})
export type SharedChart = z.infer<typeof sharedChart>

/** A link that shows a chart, as its owner sees it. */
export const share = named('Share', {
  id: z.int(),
  chart: sharedChart,
  created_at: epochOut,
  stop_reason: z
    .string()
    .nullable()
    .describe('The reason why the link no longer shows the chart; null: it does'),
})
export type Share = z.infer<typeof share>

export const sharedAnswer = z.object({
  success: z.literal(true),
  chart: sharedChart,
  gpus: z.record(z.string(), gpuHistory),
})
