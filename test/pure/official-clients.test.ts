import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentOf } from '../../src/openapi-document.ts'

/** A call of a row: `POST team/`. A second path or method in the row belongs to the same call. */
interface Call {
  method: string
  path: string
  served: boolean
}

/** `GET /api/v0/team/roles/{name}`: without a query, the slash at the end, and the name of a parameter. */
const shapeOf = (method: string, path: string) =>
  `${method} ${path
    .replace(/\?.*/, '')
    .replace(/\/$/, '')
    .replace(/\{\w+\}/g, '{}')}`

/** The rows of the tables, such as `` | `GET team/` | served | ``. Several calls in one row share its answer. */
function callsOf(markdown: string): Call[] {
  return markdown.split('\n').flatMap((line) => {
    const [, calls = '', answer = ''] = /^\| (.*?) *\| (.*?) *\|$/.exec(line) ?? []
    const named = [...calls.matchAll(/`([A-Z]+) ([^`]+)`/g)]
    return named.map(([, method = '', path = '']) => ({
      method,
      path: path.startsWith('/') ? path : `/api/v0/${path}`,
      served: answer.startsWith('served'),
    }))
  })
}

it('the page on official clients lists exactly the served calls', async () => {
  const { paths } = (await documentOf()) as { paths: Record<string, object> }
  const known = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => shapeOf(method.toUpperCase(), path)),
    ),
  )
  const calls = callsOf(readFileSync('docs/api/official-clients.md', 'utf8'))
  expect(calls.filter(({ served }) => served).length).toBeGreaterThan(50)
  expect(calls.filter(({ served }) => !served).length).toBeGreaterThan(10)
  const wrong = calls.filter(({ method, path, served }) => known.has(shapeOf(method, path)) !== served)
  expect(wrong).toEqual([])
})
