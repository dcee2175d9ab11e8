import { afterAll, describe, expect, it } from 'vitest'
import { openOperations } from '../operations.ts'

const { server, keys, row, request, operations } = await openOperations()
afterAll(() => server.close())

const withBody = operations.filter(({ body }) => body !== undefined)
/** Who gets furthest into an operation. */
function ownerOf(name: string) {
  const answered = (status: number) =>
    (['renter', 'host', 'team', 'admin'] as const).find(
      (caller) => (row(name)[caller] ?? row(name).others) === status,
    )
  return answered(200) ?? answered(400) ?? answered(404) ?? 'renter'
}

// As they come over the wire: some of these cannot be written as JavaScript values.
const values = [
  'null',
  'true',
  '-1',
  '0',
  '1e308',
  '9007199254740993',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e\\u0007"',
  `"${'x'.repeat(100_000)}"`,
  `"'; DROP TABLE accounts; --"`,
  '"$(id) `id` | id; {x} %s"',
  '"../../../etc/passwd"',
  '[]',
  '{}',
  '[[[[]]]]',
  '{"__proto__": {"isAdmin": true}}',
  '{"constructor": {"prototype": {}}}',
  '{"\\u0000": 1}',
  `[${Array(5000).fill('1').join()}]`,
]
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
      const response = await request(operation, keys[ownerOf(operation.name)], { body })
      if (status) expect([operation.name, response.statusCode]).toEqual([operation.name, status])
      expect(response.statusCode).toBeLessThan(500)
    }
  })
})

describe('a value for each field that is', () => {
  it.each(values.map((value) => [value.slice(0, 40), value]))('%s', async (_what, value) => {
    for (const operation of withBody) {
      const given = (row(operation.name).body?.() ?? {}) as Record<string, unknown>
      for (const field of new Set([...fieldsOf(operation.body), ...Object.keys(given)])) {
        const others = Object.entries(given).filter(([name]) => name !== field)
        const body = `{${[...others.map(([name, other]) => `${JSON.stringify(name)}: ${JSON.stringify(other)}`), `${JSON.stringify(field)}: ${value}`].join()}}`
        const response = await request(operation, keys[ownerOf(operation.name)], { body })
        expect(
          response.statusCode,
          `${operation.name} ${body.slice(0, 200)}: ${response.body.slice(0, 200)}`,
        ).toBeLessThan(500)
        expect(response.body.length).toBeLessThan(1_000_000)
      }
    }
  })
})

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
        const response = await request(operation, keys[ownerOf(operation.name)], { path })
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

/** The names of the fields that a JSON Schema knows at its top. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
  } = schema as { properties?: object; anyOf?: unknown[]; oneOf?: unknown[] }
  return [...Object.keys(properties), ...[...anyOf, ...oneOf].flatMap(fieldsOf)]
}
