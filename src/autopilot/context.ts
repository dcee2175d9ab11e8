import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { RuleMarkets } from '../rules/markets.ts'
import type { SendHook } from '../rules/webhook/send.ts'

/** The databases and settings of the routes of the autopilot. */
export interface Autopilot {
  postgres: Postgres
  clock: Clock
  markets: RuleMarkets
  vault: Vault
  /** Seconds between slots. */
  snapshotInterval: number
  /** Private hosts that a webhook may have. */
  privateHosts: readonly string[]
  send: SendHook
  /** The program that sets prices of sources; undefined: there is none. */
  autopilotCommand?: readonly string[] | undefined
}

/** One endpoint. Each has a file of its own; src/autopilot/routes.ts lists them all. */
export type AutopilotRoute = FastifyPluginAsyncZod<Autopilot>
