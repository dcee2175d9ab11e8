import fastifyPlugin from 'fastify-plugin'
import { invalidArgs } from '../errors.ts'

const deepest = 20

/**
 * Refuses bodies that later code cannot process: nested too deeply (serializers recurse), or with text that PostgreSQL cannot store (NUL, lone
 * surrogates). An empty JSON body counts as no body.
 */
export const bodyChecks = fastifyPlugin(async (app) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body as string, done),
  )
  app.addHook('preValidation', async (request) => {
    for (const level of levelsOf(request.body))
      if (level.some(isBadText)) throw invalidArgs('Text must be valid Unicode without NUL characters')
  })
})

/** The values and field names of a JSON document, level by level. Not recursive: the document may be too deep for that. */
function* levelsOf(body: unknown): Generator<unknown[]> {
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw invalidArgs(`The body must not be nested deeper than ${deepest} levels`)
    yield level
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.entries(value).flat() : [],
    )
  }
}

const isBadText = (value: unknown): boolean =>
  typeof value === 'string' && (value.includes('\0') || /\p{Surrogate}/u.test(value))
