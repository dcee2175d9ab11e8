import { z } from 'zod'

/** The categories of operations that a key or a role can allow. */
export const categories = [
  'instance_read',
  'instance_write',
  'user_read',
  'user_write',
  'billing_read',
  'billing_write',
  'machine_read',
  'machine_write',
  'misc',
  'team_read',
  'team_write',
] as const

export type Permission = (typeof categories)[number]

/** The permissions of a key or a team role: `{"api": {"machine_read": {}, …}}`. */
export const permissionsObject = z
  .object({ api: z.partialRecord(z.enum(categories), z.record(z.string(), z.unknown())) })
  .meta({ id: 'Permissions', description: 'The permissions of a key or a role: the names of its categories' })

export type Permissions = z.infer<typeof permissionsObject>

export const allPermissions: Permissions = {
  api: Object.fromEntries(categories.map((category) => [category, {}])),
}
