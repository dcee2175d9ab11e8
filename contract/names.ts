import { z } from 'zod'

export const namesAnswer = z.object({
  success: z.literal(true),
  names: z.array(
    z.object({
      name: z.string(),
      machines: z.int().describe('On the market when the name was last seen'),
      gpus: z.int().describe('On the market when the name was last seen'),
      first_seen: z.int().describe('Unix seconds'),
      last_seen: z.int().describe('Unix seconds'),
      memory: z
        .array(z.int())
        .describe('Sizes of memory that its machines had, GB per GPU as sold, ascending; empty: not known'),
    }),
  ),
})
export type GpuName = z.infer<typeof namesAnswer>['names'][number]
