import type pg from 'pg'
import { z } from 'zod'
import { providers } from '../../../contract/copytool.ts'
import { epochOut } from '../../../contract/fields.ts'

export const connection = z.object({
  id: z.int(),
  name: z.string(),
  cloud_type: z.enum(providers),
  created_at: epochOut,
})

/** The cloud connections of an account, in the order they were created. Credentials are never read here. */
export async function connectionsOf(client: pg.Pool | pg.PoolClient, accountId: number) {
  const { rows } = await client.query<z.infer<typeof connection>>('cloud/list', [accountId])
  return rows
}
