import { permissionsObject } from '../../../contract/permissions.ts'
import { forbidden, invalidArgs, notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { covers } from '../../../platform/security/permissions.ts'
import { isStorable } from '../../../platform/text.ts'
import type { Account } from '../context.ts'
import type { Role } from './schema.ts'

export const builtInRoles = ['owner', 'manager', 'member']

/** A role of the caller's team, by id or name. */
export interface TeamRole extends Role {
  is_built_in: boolean
  /** True if the caller has this role. */
  is_callers: boolean
}

/** Throws 404 unless the team has the role. */
export async function teamRole(
  { id, client }: Account,
  caller: Caller,
  wanted: { id?: number | undefined; name?: string | undefined },
): Promise<TeamRole> {
  // Names of roles cannot contain such characters.
  if (wanted.name !== undefined && !isStorable(wanted.name)) throw notFound('Role not found')
  const { rows } = await client.query<TeamRole>('team/own_role', [
    id,
    wanted.id ?? null,
    wanted.name ?? null,
    caller.createdBy,
  ])
  if (!rows[0]) throw notFound('Role not found')
  return rows[0]
}

/** Throws 403 when the team's role allows more than the caller. The caller may then neither assign nor change nor remove it. */
export function requireCovers(caller: Caller, permissions: unknown): void {
  if (!covers(caller.permissions, permissionsObject.parse(permissions)))
    throw forbidden('This role allows more than your own key')
}

/** The team's role that a caller assigns. Throws 400 for `owner`, 403 and 404. */
export async function givableRole(
  team: Account,
  caller: Caller,
  wanted: { name: string },
): Promise<TeamRole> {
  if (wanted.name.toLowerCase() === 'owner') throw invalidArgs('The role owner cannot be assigned')
  const role = await teamRole(team, caller, wanted)
  requireCovers(caller, role.permissions)
  return role
}

/**
 * Throws 403 for a role that the caller must not change: a built-in role, the caller's own, or one that allows more than the
 * caller.
 */
export function requireChangeable(caller: Caller, role: TeamRole): void {
  if (role.is_built_in) throw forbidden('Built-in roles cannot be changed')
  if (role.is_callers) throw forbidden('This is your own role')
  requireCovers(caller, role.permissions)
}
