import fastifyPlugin from 'fastify-plugin'
import { invalidArgs } from '../errors.ts'
import { isStorable } from '../text.ts'

const deepest = 20

/**
 * Refuses requests that later code cannot process: bodies that are nested too deeply (serializers recurse), and text that cannot
 * be stored, in the body and the query string. For an id with such text in the path, routes answer as for any unknown id. An
 * empty JSON body counts as no body.
 */
export const bodyChecks = fastifyPlugin(async (app) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body as string, done),
  )
  app.addHook('preValidation', async ({ body }) => refuseUnstorable(body))
  // This runs after the schema check, whose message names the parameter.
  app.addHook('preHandler', async ({ query }) => refuseUnstorable(query))
})

function refuseUnstorable(part: unknown): void {
  for (const level of levelsOf(part))
    if (level.some((value) => typeof value === 'string' && !isStorable(value)))
      throw invalidArgs('Text must be valid Unicode without NUL characters')
}

/** The values and field names of a JSON document, level by level. Not recursive: the document may be nested too deeply. */
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
