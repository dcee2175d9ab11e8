import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { RuleMarkets } from '../rules/markets.ts'
import type { SendHook } from '../rules/webhook/send.ts'

/** What the routes of alerts work with. */
export interface Alerts {
  postgres: Postgres
  clock: Clock
  markets: RuleMarkets
  vault: Vault
  /** Seconds between slots. */
  snapshotInterval: number
  /** Hosts that a webhook may have although they are private. */
  privateHosts: readonly string[]
  send: SendHook
  /** Call it after a message was written to the outbox: it asks for a delivery soon. */
  onOutbox: () => void
  /** The address under which clients reach this service. undefined: where it listens. */
  publicUrl: string | undefined
}

/** One endpoint. Each has a file of its own; src/alerts/routes.ts lists them all. */
export type AlertsRoute = FastifyPluginAsyncZod<Alerts>
