import fastifyPlugin from 'fastify-plugin'
import { invalidArgs } from '../errors.ts'

const deepest = 20

/**
 * Refuses bodies that would break what comes after them: nested deeper than any contract of ours (serializers recurse), or with text
 * that PostgreSQL can't hold (NUL, lone surrogates). An empty JSON body counts as none.
 */
export const hygiene = fastifyPlugin(async (app) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body as string, done),
  )
  app.addHook('preValidation', async (request) => {
    for (const level of levelsOf(request.body))
      if (level.some(isBadText)) throw invalidArgs('Text must be Unicode without NUL')
  })
})

/** The values of a JSON document level by level, and the names of its fields; not recursive, since what it guards against is depth. */
function* levelsOf(body: unknown): Generator<unknown[]> {
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw invalidArgs(`The body is nested deeper than ${deepest} levels`)
    yield level
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.entries(value).flat() : [],
    )
  }
}

const isBadText = (value: unknown): boolean =>
  typeof value === 'string' && (value.includes('\0') || /\p{Surrogate}/u.test(value))
