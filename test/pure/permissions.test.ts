import { expect, it } from 'vitest'
import { allPermissions, type Permissions } from '../../contract/permissions.ts'
import { covers, intersect } from '../../platform/security/permissions.ts'

const of = (api: Permissions['api']): Permissions => ({ api })

it.each([
  [of({ misc: {} }), of({}), true],
  [of({ misc: {} }), of({ misc: {} }), true],
  [of({}), of({ misc: {} }), false],
  [of({ misc: {} }), of({ misc: {}, team_read: {} }), false],
  [of({ team_write: {} }), of({ team_write: { delete: true } }), false],
  [of({ team_write: { delete: true } }), of({ team_write: {} }), true],
  [of({ team_write: { delete: true } }), of({ team_write: { delete: true } }), true],
  [allPermissions, of({ user_write: {}, instance_read: {} }), true],
])('%j covers %j: %s', (have, want, expected) => {
  expect(covers(have, want)).toBe(expected)
})

it('the intersection allows only what both allow', () => {
  expect(
    intersect(of({ misc: {}, team_write: { delete: true } }), of({ team_write: {}, user_read: {} })),
  ).toEqual(of({ team_write: {} }))
  expect(intersect(allPermissions, allPermissions)).toEqual(allPermissions)
})
