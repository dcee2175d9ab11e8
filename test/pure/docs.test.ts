import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documentOf } from '../../src/openapi-document.ts'
import {
  anchorsOf,
  codeSpansOf,
  linksOf,
  readPages,
  readSources,
  root,
  sentencesOf,
  wordsOf,
} from '../markdown.ts'

const pages = readPages()
const apiPages = pages.filter(({ path }) => path.startsWith('docs/api/'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Folders relative to which a comment of SQL may name a file. */
const searched = ['sql', 'sql/clickhouse', 'sql/clickhouse/queries', 'sql/postgres/queries']
const page = (path: string) => pages.find((one) => one.path === path)

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
}

type Schemas = Record<string, Schema>

/** The names of all fields of a schema. */
const fieldsOf = (schema: Schema, schemas: Schemas): string[] => {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties: others, $ref } = schema
  const inner = [...Object.values(properties), ...anyOf, ...oneOf, ...(items ? [items] : [])]
  if (typeof others === 'object') inner.push(others)
  const named = $ref && schemas[$ref.replace('#/components/schemas/', '')]
  if (named) inner.push(named)
  return [...Object.keys(properties), ...inner.flatMap((one) => fieldsOf(one, schemas))]
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}
interface OperationObject {
  parameters?: { name: string }[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** The names of what an operation takes and answers. */
function fieldsOfOperation(operation: OperationObject, schemas: Schemas): Set<string> {
  const { parameters = [], requestBody, responses } = operation
  const bodies = [requestBody, responses[200]].flatMap((one) => Object.values(one?.content ?? {}))
  return new Set([
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(({ schema = {} }) => fieldsOf(schema, schemas)),
  ])
}

describe('the API pages', () => {
  const mentioned = (pattern: RegExp) =>
    new Set(apiPages.flatMap(codeSpansOf).filter((code) => pattern.test(code)))
  const operations = async () => {
    const { paths, components } = (await documentOf()) as {
      paths: Record<string, Record<string, OperationObject>>
      components: { schemas: Schemas }
    }
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )
    return { paths, schemas: components.schemas, operations, names: operations.map(({ name }) => name) }
  }

  it('name every operation of the OpenAPI document', async () => {
    const named = mentioned(/^[A-Z]+ \/api\//)
    const { names } = await operations()
    expect(names.filter((name) => !named.has(name))).toEqual([])
  })

  it('name every field of requests and answers, on the page of the operation where it has one', async () => {
    const everywhere = apiPages.map(({ text }) => text).join()
    const { schemas, operations: all } = await operations()
    const missing = all.flatMap(({ name, operation }) => {
      const own = apiPages.find(({ prose }) => prose.split('\n')[2] === `\`${name}\``)
      const text = own?.text ?? everywhere
      const words = new Set(text.split(/\W+/))
      const isNamed = (field: string) =>
        field.includes('-') ? text.toLowerCase().includes(field) : words.has(field)
      const fields = [...fieldsOfOperation(operation, schemas)].filter((field) => !isNamed(field))
      return fields.map((field) => `${name}: ${field}`)
    })
    expect(missing).toEqual([])
  })

  it('name no operation and no path that the OpenAPI document lacks', async () => {
    const { paths, names } = await operations()
    const unknown = [...mentioned(/^[A-Z]+ \/api\//)].filter((name) => !names.includes(name))
    // A slash at the end means the same path; `/api/v0/` alone is the prefix of all.
    const unknownPaths = [...mentioned(/^\/api\/v0\/./)].filter((path) => !(path.replace(/\/$/, '') in paths))
    expect([...unknown, ...unknownPaths]).toEqual([])
  })
})

describe.each(pages.map((one) => [one.path, one] as const))('%s', (path, one) => {
  it('links to files and anchors that exist', () => {
    const broken = linksOf(one).filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : normalize(join(dirname(path), file))
      if (!existsSync(join(root, target))) return true
      const linked = page(target)
      return anchor !== undefined && !(linked && anchorsOf(linked).includes(anchor))
    })
    expect(broken).toEqual([])
  })

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...one.text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map(
      ([, name = '']) => name,
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  it('names files and folders that exist', () => {
    const inTree =
      /^(cli|workers|src|collect|import|simulate|ingest|platform|contract|embedded|web|client|sql|deploy|bench|test|tools|docs)\/[\w./-]*$/
    const named = codeSpansOf(one).filter((code) => inTree.test(code))
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })

  it('has no sentence of more than 40 words', () => {
    expect(sentencesOf(one).filter((sentence) => wordsOf(sentence) > 40)).toEqual([])
  })
})

it('the configuration page has the variables of .env.example, and no others', () => {
  const offered = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(offered.sort())
})

it('no source file cites a document that the repository lacks', () => {
  const cited = readSources().flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.-])(docs\/[\w/-]+|[A-Z][A-Z-]+)\.md\b/g)].map(([file]) => ({ path, file })),
  )
  expect(cited.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
})

it('comments of SQL name files that exist', () => {
  // Migrations cannot change, so they may name files of their time.
  const comments = readSources()
    .filter(
      ({ path }) => path.endsWith('.sql') && !path.includes('/migrations/') && !path.startsWith('test/'),
    )
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.includes('--'))
        .flatMap((line) => line.slice(line.indexOf('--')).match(/[\w./-]+\.(ts|sql|md|mjs)\b/g) ?? [])
        .map((name) => ({ path, name })),
    )
  const exists = (path: string, name: string) =>
    [name, join(dirname(path), name), ...searched.map((folder) => `${folder}/${name}`)].some((candidate) =>
      existsSync(join(root, candidate)),
    )
  expect(comments.filter(({ path, name }) => !exists(path, name))).toEqual([])
})
