import { isDeepStrictEqual } from 'node:util'
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

/** Does `have` allow all that `want` allows? */
export const covers = (have: Permissions, want: Permissions): boolean =>
  entriesOf(want).every(([category, options]) => {
    const own = have.api[category]
    return (
      own !== undefined &&
      Object.keys(options).every((option) => isDeepStrictEqual(own[option], options[option]))
    )
  })

/** What both allow. */
export const intersect = (one: Permissions, other: Permissions): Permissions => ({
  api: Object.fromEntries(
    entriesOf(one).flatMap(([category, options]) => {
      const others = other.api[category]
      if (!others) return []
      return [
        [
          category,
          Object.fromEntries(
            Object.entries(options).filter(([name, value]) => isDeepStrictEqual(others[name], value)),
          ),
        ],
      ]
    }),
  ),
})

const entriesOf = ({ api }: Permissions) => Object.entries(api) as [Permission, Record<string, unknown>][]
