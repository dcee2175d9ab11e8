import { z } from 'zod'
import { named } from './fields.ts'

/** The host's part of what renters pay at the marketplace of a source. */
export const hostShare = named('HostShare', {
  share: z.number().describe("The host's share of what renters pay, 0 to 1"),
  basis: z
    .enum(['key', 'fee'])
    .describe(
      '`key`: derived from the price that the marketplace shows to the key of the claim. `fee`: assumed from the fee among the costs',
    ),
  since: z.int().nullable().describe('Unix seconds: when this share was first seen; null for `fee`'),
})
export type OwnHostShare = z.infer<typeof hostShare>
