import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { MarketOptions } from '../answer-cache.ts'

interface ShareOptions extends MarketOptions {
  postgres: Postgres
  /** The address under which clients reach this service; undefined: where it listens. */
  publicUrl: string | undefined
}

/** One endpoint of shared charts. Each has a file of its own; src/app.ts lists them all. */
export type ShareRoute = FastifyPluginAsyncZod<ShareOptions>
