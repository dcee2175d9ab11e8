import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentOf, fingerprintOf } from '../../src/openapi-document.ts'

it('npm run build writes the clients of the present API', async () => {
  const read = (file: string) => readFileSync(new URL(`../../client/${file}`, import.meta.url), 'utf8')
  const fingerprint = fingerprintOf(await documentOf())
  expect(read('schema.ts').split('.')[0]).toBe(`// Of the document ${fingerprint}`)
  expect(read('python/rackrate/api.py').split('.')[0]).toBe(`# Of the document ${fingerprint}`)
})

it('no field of the API names the host of a machine: only the ad hoc SQL of admins does', async () => {
  expect(JSON.stringify(await documentOf())).not.toContain('"host_id"')
})
