import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sourceParameter } from '../../contract/sources.ts'
import { invalidArgs } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes the parameter `source`. */
    perSource?: true
    /** The name of the route's source; undefined: the first one, or the site's own market. */
    source?: string | undefined
  }
}

/** Distinguishes routes of one path by the parameter `source`. Without routes of other sources it costs nothing. */
export const bySource = {
  name: 'source',
  storage: <Handler>() => {
    const handlers = new Map<unknown, Handler>()
    return {
      get: (source: unknown) => handlers.get(source) ?? null,
      set: (source: unknown, handler: Handler) => void handlers.set(source, handler),
    }
  },
  deriveConstraint: ({ url = '' }: IncomingMessage): string => sourcesIn(url)[0] ?? '',
}

const sourcesIn = (url: string): string[] =>
  /[?&]source=/.test(url) ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).getAll('source') : []

export interface SourceOfRoutes {
  /** The source of the routes' market; undefined: the site's own, or the first. */
  source?: string | undefined
  /** The allowed values of `source`. */
  known(): Promise<readonly string[]>
}

/**
 * Binds the routes of a plugin to one source. They are requested with `source`. Routes of the first source also match without it.
 */
export function serveSource(app: FastifyInstance, { source, known }: SourceOfRoutes): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, perSource: true, source }
    if (source !== undefined) route.constraints = { ...route.constraints, source }
  })
  app.addHook('preValidation', async ({ query, raw }) => {
    const given = sourcesIn(raw.url ?? '')
    // The router and the framework must read the same value.
    if (given.length === 1 && (query as Record<string, unknown>)[sourceParameter.name] === given[0]) {
      if (source === given[0]) return
      const names = await known()
      if (source === undefined && names[0] === given[0]) return
      throw invalidArgs(
        names.length > 0
          ? `source must be ${names.join(' or ')}`
          : 'This site has one market. Omit the parameter source',
      )
    }
    if (given.length > 0 || sourceParameter.name in (query as object))
      throw invalidArgs('source must be given once')
  })
}
