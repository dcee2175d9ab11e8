import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentOf, fingerprintOf } from '../../src/openapi-document.ts'

it('the typed client is of the present API (npm run client makes it anew)', async () => {
  const [first] = readFileSync(new URL('../../client/schema.ts', import.meta.url), 'utf8').split('\n')
  expect(first).toBe(`// Of the document ${fingerprintOf(await documentOf())}`)
})
