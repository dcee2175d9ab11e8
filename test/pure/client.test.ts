import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentOf, fingerprintOf } from '../../src/openapi-document.ts'

it('the schema of the client is generated from the present API (update it with npm run client)', async () => {
  const [first] = readFileSync(new URL('../../client/schema.ts', import.meta.url), 'utf8').split('\n')
  expect(first).toBe(`// Of the document ${fingerprintOf(await documentOf())}`)
})

it('no field of the API names the host of a machine: only the ad hoc SQL of admins does', async () => {
  expect(JSON.stringify(await documentOf())).not.toContain('"host_id"')
})
