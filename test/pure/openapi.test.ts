import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { documentOf } from '../../src/openapi-document.ts'

type Documented = {
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId?: string; responses: Record<string, unknown> }>>
}

it('the document is valid OpenAPI 3.1, with the address of the service', async () => {
  const document = (await documentOf()) as Documented
  const validator = new Validator()
  expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(document.servers).toEqual([{ url: '/' }])
})

it('every operation has a name of its own', async () => {
  const { paths } = (await documentOf()) as Documented
  const names = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((one) => one.operationId),
  )
  expect(names.filter((name) => !/^[a-z][a-zA-Z]+$/.test(name ?? ''))).toEqual([])
  expect(names).toHaveLength(new Set(names).size)
})

it('every error is one of the shared answers, whose body is an Error', async () => {
  const { paths, components } = (await documentOf()) as Documented & {
    components: { responses: Record<string, { content?: object }> }
  }
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
  )
  const others = answers.filter(
    ([status, answer]) => Number(status) >= 300 && !(answer as { $ref?: string }).$ref,
  )
  expect(others).toEqual([])
  const { NotModified, ...errors } = components.responses
  expect(NotModified).not.toHaveProperty('content')
  for (const { content } of Object.values(errors))
    expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } })
})

it('the document has no bounds without a meaning', async () => {
  const text = JSON.stringify(await documentOf())
  expect(text).not.toMatch(/Default Response|9007199254740991/)
})

it('the conventions name every request that takes an Idempotency-Key', async () => {
  const { paths } = (await documentOf()) as unknown as {
    paths: Record<string, Record<string, { parameters?: { name: string }[] }>>
  }
  const conventions = readFileSync('docs/api/conventions.md', 'utf8')
  const [, listed = ''] = /These requests take effect again.*?\n\n(.*?)\n\n/s.exec(conventions) ?? []
  const taking = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
      parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
        ? [`- \`${method.toUpperCase()} ${path}\``]
        : [],
    ),
  )
  expect(listed.split('\n')).toEqual(taking.sort())
})

it('the conventions name every endpoint that needs no key, and every other version of a path', async () => {
  const { paths } = (await documentOf()) as unknown as {
    paths: Record<string, Record<string, { security?: unknown[] }>>
  }
  const conventions = readFileSync('docs/api/conventions.md', 'utf8')
  const [, listed = ''] = /These endpoints need no key.*?\n\n(.*?)\n\n/s.exec(conventions) ?? []
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security?.length === 0 ? [`- \`${method.toUpperCase()} ${path}\``] : [],
    ),
  )
  expect(listed.split('\n')).toEqual(open.sort())
  for (const path of Object.keys(paths).filter((path) => !path.startsWith('/api/v0/')))
    expect(conventions).toContain(`\`${path}\``)
})
