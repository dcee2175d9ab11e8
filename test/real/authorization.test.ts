import { afterAll, describe, expect, it } from 'vitest'
import { categories } from '../../contract/permissions.ts'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { openOperations } from '../operations.ts'

const { server, world, keys, rows, row, request, operations } = await openOperations()
afterAll(() => server.close())

it('every route has a row, and every row a route', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(rows).sort())
})

describe('every operation', () => {
  it('is 401 without a key that lives', async () => {
    const { id, key: revoked } = await createKey(server.postgres, { accountId: world.renter_id })
    await revokeKey(server.postgres, `${id}`)
    const { key: expired } = await createKey(server.postgres, {
      accountId: world.renter_id,
      expiresAt: new Date(Date.now() - 1000),
    })
    for (const operation of operations) {
      for (const key of [undefined, 'rr_0', revoked, expired]) {
        const response = await request(operation, key)
        if (row(operation.name).isPublic)
          expect(response.statusCode, operation.name).toBe(row(operation.name).others)
        else
          expect(
            [response.statusCode, response.headers['www-authenticate'], response.json()],
            operation.name,
          ).toEqual([401, 'Bearer', { success: false, error: 'auth_error', msg: 'Invalid user key' }])
      }
    }
  })

  it('is 403 with a key that lacks the permission, whosever it is', async () => {
    for (const operation of operations.filter(({ name }) => !row(name).isPublic)) {
      const allowed = categories.filter((category) => !operation.permissions?.includes(category))
      const permissions = { api: Object.fromEntries(allowed.map((category) => [category, {}])) }
      for (const accountId of [world.renter_id, world.host_id]) {
        const { id, key } = await createKey(server.postgres, { accountId, permissions })
        const response = await request(operation, key)
        expect([response.statusCode, response.json().error], operation.name).toEqual([403, 'forbidden'])
        // The number of a person's keys is limited.
        await server.postgres.query('DELETE FROM api_keys WHERE id = $1', [id])
      }
    }
  })

  it('refuses a holder without its documented access before it reads the request', async () => {
    const holders = { host: 'stranger', admin: 'host', person: 'team', team: 'renter' } as const
    const limited = operations.filter(({ access }) => access !== undefined)
    expect(new Set(limited.map(({ access }) => access))).toEqual(new Set(Object.keys(holders)))
    for (const operation of limited) {
      const key = keys[holders[operation.access as keyof typeof holders]]
      const { statusCode } = await request(operation, key, operation.body ? { body: 'not JSON' } : {})
      expect([operation.name, statusCode]).toEqual([operation.name, 403])
    }
  })

  it('answers another method with 405 and the methods that there are', async () => {
    for (const { name, method } of operations) {
      const url = (await row(name).path()).split('?')[0] ?? ''
      const response = await server.app.inject({ method: 'PATCH', url: `${url}/?x=1` })
      expect([response.statusCode, response.json().error], name).toEqual([405, 'method_not_allowed'])
      expect(String(response.headers.allow).split(', '), name).toContain(method)
    }
    const nothing = await server.app.inject({ method: 'PATCH', url: '/api/v0/nothing' })
    expect(nothing.statusCode).toBe(404)
  })

  it.each(['renter', 'host', 'stranger', 'team', 'member', 'admin'] as const)(
    'answers the %s as it should',
    async (caller) => {
      for (const operation of operations) {
        const response = await request(operation, keys[caller])
        const { others, [caller]: own = others } = row(operation.name)
        expect([
          operation.name,
          response.statusCode,
          response.statusCode === own ? '' : response.body,
        ]).toEqual([operation.name, own, ''])
        if (own >= 400)
          expect(response.json()).toMatchObject({
            success: false,
            error: expect.any(String),
            msg: expect.any(String),
          })
      }
    },
  )

  it("answers for what isn't one's own exactly as for what doesn't exist", async () => {
    for (const operation of operations.filter(({ name }) => row(name).nothing)) {
      const theirs = await request(operation, keys.stranger)
      const none = await request(operation, keys.stranger, { path: row(operation.name).nothing })
      expect([operation.name, theirs.statusCode, theirs.json()]).toEqual([operation.name, 404, none.json()])
    }
  })

  it('answers with a slash at the end as without', async () => {
    for (const operation of operations) {
      const response = await request(operation, keys.stranger, {
        path: `${await row(operation.name).path()}/`,
      })
      const { others, stranger = others } = row(operation.name)
      expect([operation.name, response.statusCode]).toEqual([operation.name, stranger])
    }
  })
})
