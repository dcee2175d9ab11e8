import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import type { Account } from '../context.ts'

export interface Method {
  id: number
  kind: 'totp' | 'sms'
  label: string
  phone: string | null
  secret_sealed: Buffer
  created_at: number
  /** null: never */
  last_used: number | null
  is_primary: boolean
  fail_count: number
  /** null: not locked */
  locked_until: number | null
}

/** The confirmed 2FA methods of an account, oldest first. E-mail is not among them: it depends on the account's address. */
export async function methodsOf({ id, client }: Pick<Account, 'id' | 'client'>): Promise<Method[]> {
  const { rows } = await client.query<Method>('tfa/methods', [id])
  return rows
}

/** A method as the API returns it. */
export const shownMethod = named('TfaMethod', {
  id: z.int(),
  user_id: z.int(),
  method: z.enum(['totp', 'sms']),
  tfa_method: z.enum(['totp', 'sms']).describe('The same as `method`'),
  label: z.string(),
  is_primary: z.boolean(),
  phone_number: z.string().nullable().describe('Masked except for the last four digits'),
  created_at: epochOut,
  last_used: epochOut.nullable().describe('null: never'),
  fail_count: z.int().describe('Number of wrong codes in a row'),
  locked_until: epochOut.nullable().describe('null: not locked'),
})

export const showMethod = (
  accountId: number,
  { kind, phone, secret_sealed: _, ...method }: Method,
): z.infer<typeof shownMethod> => ({
  ...method,
  user_id: accountId,
  method: kind,
  tfa_method: kind,
  phone_number: phone?.replaceAll(/\d(?=\d{4})/g, '*') ?? null,
})

/** Seconds that a new method waits for its confirmation. */
export const confirmationTime = 900

/** Text for the descriptions of the routes that set up a method. */
export const setUpRules = `The method is inactive until it is confirmed (POST /api/v0/tfa/test-submit or confirm-new), within 15 minutes and before another method is. The
first method needs no proof. A further one needs a proof with an existing method, or an authorization (POST /api/v0/tfa/authorize-new-method).`

export const phoneNumber = z
  .string()
  .regex(/^\+[0-9]{6,15}$/, 'must be a number like +15551234567')
  .nullish()
  .describe('E.164')

export const label = z.string().trim().max(100).nullish().describe('A name for the method')

export interface Phone {
  id: number
  phone: string
}
