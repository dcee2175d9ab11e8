import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeProblems, plainMessage } from '../../platform/http/request-problems.ts'

const schema = z.object({
  name: z.string().min(2).max(3),
  size: z.int().min(1),
  kind: z.enum(['a', 'b']),
  list: z.array(z.string()).max(1),
  address: z.email(),
  cloud: z.discriminatedUnion('type', [
    z.object({ type: z.literal('x') }),
    z.object({ type: z.literal('y') }),
  ]),
  either: z.union([z.string(), z.int()]),
  strict: z.strictObject({}),
})
const good = {
  name: 'abc',
  size: 1,
  kind: 'a',
  list: [],
  address: 'a@example.com',
  cloud: { type: 'x' },
  either: 1,
  strict: {},
}

const messageFor = (body: unknown): string => {
  const { error } = schema.safeParse(body, { error: plainMessage })
  const errors = (error?.issues ?? []).map(({ code, path, message }) => ({
    keyword: code,
    instancePath: `/${path.join('/')}`,
    schemaPath: '',
    params: {},
    message,
  }))
  return describeProblems(errors, 'body')
}

it.each([
  [undefined, 'The body is required'],
  [[], 'The body must be an object'],
  [{ ...good, name: undefined }, 'name is required'],
  [{ ...good, name: 1 }, 'name must be a string'],
  [{ ...good, name: 'a' }, 'name must have at least 2 characters'],
  [{ ...good, name: 'abcd' }, 'name must have at most 3 characters'],
  [{ ...good, size: 1.5 }, 'size must be an integer'],
  [{ ...good, size: 0 }, 'size must be at least 1'],
  [{ ...good, kind: 'c' }, 'kind must be one of a, b'],
  [{ ...good, kind: undefined }, 'kind is required'],
  [{ ...good, list: ['a', 'b'] }, 'list must have at most 1 element'],
  [{ ...good, list: [1] }, 'list.0 must be a string'],
  [{ ...good, address: 'a' }, 'address must be an e-mail address'],
  [{ ...good, cloud: { type: 'z' } }, 'cloud.type must be one of x, y'],
  [{ ...good, either: true }, 'either has an invalid value'],
  [{ ...good, strict: { more: 1 } }, 'strict has unknown fields: more'],
  [{ ...good, size: 0, kind: 'c' }, 'size must be at least 1; kind must be one of a, b'],
  [
    {},
    'name is required; size is required; kind is required; list is required; address is required; cloud is required; either is required; strict is required',
  ],
])('names every problem of %j', (body, message) => {
  expect(messageFor(body)).toBe(message)
})
