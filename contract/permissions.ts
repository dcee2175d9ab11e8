import { z } from 'zod'

/** What a key or a role can be allowed to do (WIRE.md). */
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

/** `{"api": {"machine_read": {}, …}}`, as keys and team roles carry it. */
export const permissionsObject = z.object({
  api: z.partialRecord(z.enum(categories), z.record(z.string(), z.unknown())),
})

export type Permissions = z.infer<typeof permissionsObject>

export const allPermissions: Permissions = {
  api: Object.fromEntries(categories.map((category) => [category, {}])),
}
