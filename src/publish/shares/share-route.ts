import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { SharedChart } from '../../../contract/shares.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { MarketOptions } from '../../market/market-query/answers.ts'
import { sourceOf } from './shared-question.ts'

interface ShareOptions extends MarketOptions {
  postgres: Postgres
  vault: Vault
  /** The URL at which clients reach this service; undefined: the address on which it listens. */
  publicUrl: string | undefined
  /** The sources that a chart may name, the first one first. */
  known(): Promise<readonly string[]>
  /** The markets of all sources except the first. */
  others: ReadonlyMap<string, MarketOptions>
}

/** One endpoint of shared charts. Each has a file of its own; src/app.ts lists them all. */
export type ShareRoute = FastifyPluginAsyncZod<ShareOptions>

/** Creates a value for each market. Returns a function that finds the value of a chart's market: 404 when its source is gone. */
export function forMarkets<Thing extends object>(
  { others, ...first }: Pick<ShareOptions, 'others'> & MarketOptions,
  make: (market: MarketOptions) => Thing,
) {
  const ofFirst = make(first)
  const ofOthers = new Map([...others].map(([source, market]) => [source, make(market)]))
  return ({ query }: SharedChart): Thing => {
    const source = sourceOf(query)
    const found = source === undefined ? ofFirst : ofOthers.get(source)
    if (!found) throw notFound('This link shows no chart')
    return found
  }
}
