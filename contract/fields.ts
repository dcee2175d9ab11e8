import { z } from 'zod'

const greatestId = 2_147_483_647

/** An id, as an integer or as a string of digits: clients send both (WIRE.md). */
export const id = z
  .union([z.int(), z.string().regex(/^\d{1,10}$/, 'must be an id')], { error: 'must be an id' })
  .transform(Number)
  .refine((value) => value >= 1 && value <= greatestId, { error: 'must be an id' })
  .meta({ description: 'An integer, or the same as a string of digits' })

/** The id in a path, or undefined when it can be nobody's, which is answered like one that doesn't exist. */
export function idOf(text: string): number | undefined {
  const parsed = id.safeParse(text)
  return parsed.success ? parsed.data : undefined
}

/** Whether the text is meant as an id, even of nothing. */
export const isDigits = (text: string): boolean => /^\d+$/.test(text) && Number(text) > 0

/** Unix seconds in requests, with a fraction or without; up to the year 9999, which PostgreSQL and JSON dates both know. */
export const epoch = z
  .number()
  .min(0)
  .max(253_402_300_799)
  // To the millisecond: what is stored is what was sent.
  .transform((seconds) => Math.round(seconds * 1000) / 1000)
  .meta({ description: 'Unix seconds, may have a fraction' })

/** Unix seconds in answers. */
export const epochOut = z.number().describe('Unix seconds')
