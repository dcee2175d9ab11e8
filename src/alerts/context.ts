import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { RuleMarkets } from '../rules/markets.ts'
import type { SendHook } from '../rules/webhook/send.ts'

/** The databases and settings of the routes of alerts. */
export interface Alerts {
  postgres: Postgres
  clock: Clock
  markets: RuleMarkets
  vault: Vault
  /** Seconds between slots. */
  snapshotInterval: number
  /** Private hosts that a webhook may have. */
  privateHosts: readonly string[]
  send: SendHook
  /** Call it after a message was written to the outbox: it requests a delivery soon. */
  onOutbox: () => void
  /** The URL at which clients reach this service. undefined: the address on which it listens. */
  publicUrl: string | undefined
}

/** One endpoint. Each has a file of its own; src/alerts/routes.ts lists them all. */
export type AlertsRoute = FastifyPluginAsyncZod<Alerts>
