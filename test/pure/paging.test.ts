import type { OpenAPIV3_1 } from 'openapi-types'
import { expect, it } from 'vitest'
import { documentOf } from '../../src/openapi-document.ts'

/** Lists with a `limit` that are not read in pages, each with its reason. */
const exceptions: Record<string, string> = {
  '/api/v0/metrics/gpu/returns': 'a ranking: `left_out` counts the classes below the limit',
  '/api/v0/metrics/machines': '`after` and `next`: an id, which clients may also choose',
}

it('every list with a limit has a next page (`after_token`, and `next_token` or a header)', async () => {
  const { paths, components } = (await documentOf()) as unknown as OpenAPIV3_1.Document
  const resolve = (part: unknown): Record<string, unknown> => {
    const { $ref } = (part ?? {}) as { $ref?: string }
    if ($ref === undefined) return (part ?? {}) as Record<string, unknown>
    const [, , kind = '', name = ''] = $ref.split('/')
    return (components as Record<string, Record<string, Record<string, unknown>>>)[kind]?.[name] ?? {}
  }
  const lists = Object.entries(paths ?? {}).flatMap(([path, methods]) => {
    const operation = methods?.get
    const names = (operation?.parameters ?? []).map((one) => resolve(one).name)
    return operation && names.includes('limit') && !(path in exceptions) ? [{ path, operation, names }] : []
  })
  expect(lists.length).toBeGreaterThan(6)
  for (const { path, operation, names } of lists) {
    const answer = resolve(operation.responses?.['200']) as OpenAPIV3_1.ResponseObject
    const schema = resolve(answer.content?.['application/json']?.schema)
    const told = [...Object.keys(schema.properties ?? {}), ...Object.keys(answer.headers ?? {})]
    expect([path, names]).toEqual([path, expect.arrayContaining(['after_token'])])
    expect([path, told.some((name) => name === 'next_token' || name === 'Rackrate-Next-Token')]).toEqual([
      path,
      true,
    ])
  }
})
