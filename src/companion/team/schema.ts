import { z } from 'zod'
import { epochOut } from '../../../contract/fields.ts'
import { permissionsObject } from '../../../contract/permissions.ts'

/** Roles that every team has; nobody may make one of their names. */
export const builtInRoles = ['owner', 'manager', 'member']

export const role = z.object({
  id: z.int(),
  name: z.string(),
  permissions: z
    .record(z.string(), z.unknown())
    .describe('`{"api": {"<category>": {}}}`, like the permissions of a key'),
})
export type Role = z.infer<typeof role>

export const newRole = z.object({
  name: z.string().trim().min(2).max(50),
  permissions: permissionsObject,
})

export const member = z.object({
  id: z.int().describe('User id'),
  username: z.string(),
  email: z.string().nullable(),
  role: z.string().nullable().describe('null: none yet'),
  joined_at: epochOut,
})
export type Member = z.infer<typeof member>
