import type pg from 'pg'
import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'

export const sshKey = named('SshKey', {
  id: z.int(),
  user_id: z.int(),
  public_key: z.string(),
  created_at: epochOut,
  deleted_at: z.null().describe('Always null: deleted keys are not listed'),
})

export const sshKeyAnswer = named('SshKeyAnswer', { success: z.literal(true), key: sshKey })

/** The SSH keys of an account, in the order they were added. */
export async function keysOf(client: pg.Pool | pg.PoolClient, accountId: number) {
  const { rows } = await client.query<z.infer<typeof sshKey>>('ssh/list', [accountId])
  return rows
}
