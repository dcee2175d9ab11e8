// Writes client/schema.ts from the OpenAPI document of the built service. No arguments. The generator is downloaded from the registry,
// because it needs another version of TypeScript than the installed one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentOf, fingerprintOf } from '../dist/src/openapi-document.js'

const target = new URL('../client/schema.ts', import.meta.url).pathname
const document = await documentOf()
const folder = mkdtempSync(join(tmpdir(), 'rackrate-client-'))
try {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const generator = ['--yes', '--package', 'openapi-typescript@7.13.0', '--package', 'typescript@5.9.3']
  execFileSync('npx', [...generator, 'openapi-typescript', file, '--output', target], { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
// Lines without information are removed: `?: never` entries, headers (a client reads them from the Response, which has no types for them),
// a description that repeats the summary, and the description of the type `true`.
const types = readFileSync(target, 'utf8')
  .replaceAll(/^ +\w+\?: never;\n/gm, '')
  .replaceAll(
    /^ +headers: \{\n(?: +(?:"?[\w-]+"?: components\["headers"\]\["[\w-]+"\]|\[name: string\]: unknown);\n)+ +\};\n/gm,
    '',
  )
  .replaceAll(/^ +parameters: \{\n +\};\n/gm, '')
  .replaceAll(/^ +\/\*\* @description .*\n(?= +200: \{\n)/gm, '')
  .replaceAll(/^ +\/\*\* @enum \{boolean\} \*\/\n/gm, '')
writeFileSync(target, `// Of the document ${fingerprintOf(document)}\n${types}`)
