import { forbidden, notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import type { Account } from '../context.ts'
import { requireCovers } from './roles.ts'

interface Member {
  is_owner: boolean
  /** null: no role */
  role_id: number | null
  permissions: unknown
}

/**
 * A member of a team whom the caller may change. Throws 404, and 403 for the owner, the caller, and a member with more rights
 * than the caller.
 */
export async function changeableMember(
  { id, client }: Account,
  caller: Caller,
  userId: number | undefined,
): Promise<Member> {
  const { rows } = await client.query<Member>('team/member', [id, userId ?? null])
  const [member] = rows
  if (!member) throw notFound('There is no such team member')
  if (member.is_owner) throw forbidden('The owner of the team cannot be changed or removed')
  if (userId === caller.createdBy) throw forbidden('This is your own membership')
  if (member.role_id !== null) requireCovers(caller, member.permissions)
  return member
}
