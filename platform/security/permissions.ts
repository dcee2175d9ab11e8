import { isDeepStrictEqual } from 'node:util'
import type { Permission, Permissions } from '../../contract/permissions.ts'

/** True if `have` includes every permission of `want`. */
export const covers = (have: Permissions, want: Permissions): boolean =>
  entriesOf(want).every(([category, options]) => {
    const own = have.api[category]
    return (
      own !== undefined &&
      Object.keys(options).every((option) => isDeepStrictEqual(own[option], options[option]))
    )
  })

/** The permissions that both include. */
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
