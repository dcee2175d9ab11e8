import { describe, expect, it } from 'vitest'
import type { openOperations } from '../operations.ts'
import { resolved } from './text-places.ts'

type Operations = Awaited<ReturnType<typeof openOperations>>

/** The caller whose requests pass the most checks of an operation. */
export function ownerOf({ row }: Operations, name: string) {
  const answered = (status: number) =>
    (['renter', 'host', 'team', 'admin'] as const).find(
      (caller) => (row(name)[caller] ?? row(name).others) === status,
    )
  return answered(200) ?? answered(400) ?? answered(404) ?? 'renter'
}

// Values as JSON text: some of them cannot be written as JavaScript values.
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
/** Tests that no value of a field causes an internal error. Each value is tried in every `nth` field, beginning with another field for each value. */
export function hostileValues(opened: Operations, nth: number): void {
  const { keys, row, request, operations, schemas } = opened
  const withBody = operations.filter(({ body }) => body !== undefined)

  describe('a value for a field that is', () => {
    it.each(values.map((value, index) => [value.slice(0, 40), value, index] as const))(
      '%s',
      async (_what, value, index) => {
        let place = index
        for (const operation of withBody) {
          const given = (row(operation.name).body?.() ?? {}) as Record<string, unknown>
          for (const field of new Set([...fieldsOf(operation.body, schemas), ...Object.keys(given)])) {
            place += 1
            if (place % nth !== 0) continue
            const others = Object.entries(given).filter(([name]) => name !== field)
            const written = others.map(([name, other]) => `${JSON.stringify(name)}: ${JSON.stringify(other)}`)
            const body = `{${[...written, `${JSON.stringify(field)}: ${value}`].join()}}`
            const response = await request(operation, keys[ownerOf(opened, operation.name)], { body })
            const answered = `${operation.name} ${body.slice(0, 200)}: ${response.body.slice(0, 200)}`
            expect(response.statusCode, answered).toBeLessThan(500)
            expect(response.body.length).toBeLessThan(1_000_000)
          }
        }
      },
    )
  })
}

/** The names of the fields that a JSON Schema knows at its top. */
function fieldsOf(schema: unknown, schemas: Record<string, object>): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, anyOf = [], oneOf = [] } = resolved(schema, schemas)
  return [...Object.keys(properties), ...[...anyOf, ...oneOf].flatMap((one) => fieldsOf(one, schemas))]
}
