import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { documentOf } from '../../src/openapi-document.ts'

type Documented = {
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId?: string; responses: Record<string, unknown> }>>
}

it('the document is valid OpenAPI 3.1, and says where the service is', async () => {
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
