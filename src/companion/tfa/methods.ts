import { z } from 'zod'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Account } from '../context.ts'

export interface Method {
  id: number
  kind: 'totp' | 'sms'
  label: string
  phone: string | null
  secret_sealed: Buffer
  created_at: number
}

/** The confirmed 2FA methods of an account, oldest first. E-mail is none: it depends on the account's address. */
export async function methodsOf({ id, client }: Pick<Account, 'id' | 'client'>): Promise<Method[]> {
  const { rows } = await client.query<Method>(loadSql('postgres/queries/tfa/methods'), [id])
  return rows
}

/** How long a new method waits for its confirmation, in seconds. */
export const confirmationTime = 900

/** For the descriptions of the routes that set up a method. */
export const setUpRules = `The method is not in force until it is confirmed (POST /api/v0/tfa/test-submit), within 15 minutes and before another method is. The first method
needs no proof; a further one needs a proof with an existing method.`

export const label = z.string().trim().max(100).nullish().describe('A name for the method')

export interface Phone {
  id: number
  phone: string
}
