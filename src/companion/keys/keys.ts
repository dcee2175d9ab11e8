import type pg from 'pg'
import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import { permissionsObject } from '../../../contract/permissions.ts'
import type { Caller } from '../../../platform/security/auth.ts'

/** The most keys of a person. */
export const mostKeys = 100

export const apiKey = named('ApiKey', {
  id: z.int(),
  user_id: z.int().describe('The account that the key acts for: a person or a team'),
  key: z.null().describe('Always null; the field exists for clients that print it'),
  key_type: z.enum(['user', 'team']).describe('user: the key acts for the person. team: it acts for a team'),
  name: z.string(),
  prefix: z.string().describe('The public part of the key: rr_<prefix>_…'),
  permissions: permissionsObject,
  team_id: z.int().nullable(),
  team_name: z.string().nullable(),
  created_at: epochOut,
  expires_at: epochOut.nullable(),
  last_used_at: epochOut.nullable(),
})

/**
 * The keys that a caller manages, as the first two parameters of the statements: the person's keys, and with a team's key only
 * keys that act for the team (null: no such limit).
 */
export const scopeOf = ({ kind, accountId, createdBy }: Caller): [number, number | null] => [
  createdBy,
  kind === 'team' ? accountId : null,
]

/** The valid keys that a caller manages, in the order they were created. */
export async function keysOf(client: pg.Pool | pg.PoolClient, caller: Caller) {
  const { rows } = await client.query<z.infer<typeof apiKey>>('keys/list', scopeOf(caller))
  return rows
}
