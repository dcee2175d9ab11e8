import { afterAll, describe, expect, it } from 'vitest'
import { openOperations } from '../operations.ts'
import { hostileValues, ownerOf } from '../properties/hostile-values.ts'

const opened = await openOperations()
const { server, keys, request, operations } = opened
afterAll(() => server.close())

const withBody = operations.filter(({ body }) => body !== undefined)

const bodies = [
  ['an oversized one', JSON.stringify({ x: 'x'.repeat(1_100_000) }), 413],
  ['a deep array', '['.repeat(100_000) + ']'.repeat(100_000), 400],
  ['a deep object', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 400],
  ['one cut short', '{"a": ', 400],
  ['no JSON', 'x', 400],
  ['a prototype', '{"__proto__": {"x": 1}}', 400],
  ['a prototype inside', '{"a": [{"__proto__": 1}]}', 400],
  ['NUL', '{"a": "\\u0000"}', 400],
  ['NUL in a name', '{"\\u0000": 1}', 400],
  ['a lone surrogate', '{"a": "\\udfff"}', 400],
  ['too many names', `{${Array.from({ length: 20_000 }, (_, n) => `"x${n}": ${n}`).join()}}`, undefined],
] as const

describe('a body that is', () => {
  it.each(bodies)('%s', async (_what, body, status) => {
    for (const operation of withBody) {
      const response = await request(operation, keys[ownerOf(opened, operation.name)], { body })
      if (status) expect([operation.name, response.statusCode]).toEqual([operation.name, status])
      expect(response.statusCode).toBeLessThan(500)
    }
  })
})

hostileValues(opened, 4)

describe('an id in the path that is', () => {
  it.each([
    '0',
    '-1',
    '1.5',
    'x',
    '%00',
    '%ff',
    '%F0%9F%92%A9',
    '2147483648',
    '9'.repeat(40),
    '..%2f..%2f',
    "1'%20OR%20'1'='1",
    '__proto__',
    'a'.repeat(499),
  ])('%s', async (id) => {
    for (const operation of operations.filter(({ path }) => path.includes('{'))) {
      const path = operation.path.replace(/\{\w+\}/, id)
      if (id === '%ff') {
        const { statusCode } = await server.app.inject({ method: operation.method, url: path })
        expect([400, 401]).toContain(statusCode)
      } else {
        const response = await request(operation, keys[ownerOf(opened, operation.name)], { path })
        // Clients read null as "no such instance".
        if (operation.name === 'GET /api/v0/instances/{id}' && response.statusCode === 200)
          expect(response.json()).toEqual({ success: true, instances: null })
        else expect([400, 403, 404], operation.name).toContain(response.statusCode)
      }
    }
  })
})

it('nothing of it did harm', async () => {
  const { rows } = await server.postgres.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM accounts WHERE is_admin',
  )
  expect(rows[0]?.n).toBe(1)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  for (const name of [
    'GET /api/v0/ssh',
    'GET /api/v0/users/cloud_integrations',
    'GET /api/v0/commands/schedule_job',
  ]) {
    const operation = operations.find((one) => one.name === name)
    if (operation) expect((await request(operation, keys.renter)).statusCode).toBe(200)
  }
})
