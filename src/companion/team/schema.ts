import { z } from 'zod'
import { named } from '../../../contract/fields.ts'
import { permissionsObject } from '../../../contract/permissions.ts'

export const role = named('TeamRole', {
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

/** The most teams that a person can own. */
export const mostTeams = 10

export const teamName = z.string().trim().min(1).max(200)

/** The answer of the marketplace's API to a removal. */
export const done = named('Removed', {
  success: z.literal(true),
  status: z.literal('success'),
  message: z.string(),
})
