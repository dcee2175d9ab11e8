import { z } from 'zod'

/** A schema with a name in the OpenAPI document and in the clients. */
export const named = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id })

export const greatestId = 2_147_483_647

/** An id, as an integer or as a string of digits: clients send both. */
export const id = z
  .union([z.int(), z.string().regex(/^\d{1,10}$/, 'must be an id')], { error: 'must be an id' })
  .transform(Number)
  .refine((value) => value >= 1 && value <= greatestId, { error: 'must be an id' })
  .meta({ description: 'An integer, or a string of its digits' })

/** The id in a path; undefined when the text is no id. Answer it like an unknown id. */
export function idOf(text: string): number | undefined {
  const parsed = id.safeParse(text)
  return parsed.success ? parsed.data : undefined
}

/** Machines of a source have ids of their own, which may be larger. */
export const greatestMachine = Number.MAX_SAFE_INTEGER

/** The id of a machine in a path; undefined when the text is no id of a machine. */
export function machineIdOf(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return id >= 1 && id <= greatestMachine ? id : undefined
}

/** True if a text has the form of an id. */
export const isDigits = (text: string): boolean => /^\d+$/.test(text) && Number(text) > 0

/** Unix seconds in requests, with or without a fraction, up to the year 9999. */
export const epoch = z
  .number()
  .min(0)
  .max(253_402_300_799)
  // Rounded to milliseconds, so that equal requests store equal times.
  .transform((seconds) => Math.round(seconds * 1000) / 1000)
  .meta({ description: 'Unix seconds, with or without a fraction' })

/** Unix seconds in answers. */
export const epochOut = z.number().describe('Unix seconds')

/** An answer without data. */
export const success = named('Success', { success: z.literal(true) })
export const successMessage = named('SuccessMessage', { success: z.literal(true), msg: z.string() })

export const webhookSecret = z
  .string()
  .nullable()
  .describe('The secret that signs webhook requests. Returned only when the address is new, and only here')

/** An answer with the id of the written row. */
export const successId = named('SuccessId', { success: z.literal(true), id: z.int() })
