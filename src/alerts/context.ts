import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../platform/clock.ts'
import { forbidden } from '../../platform/errors.ts'
import { type Caller, needsMachine } from '../../platform/security/auth.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { AlertMarket, AlertMarkets } from './markets.ts'
import type { SendHook } from './webhook/send.ts'

/** What the routes of alerts work with. */
export interface Alerts {
  postgres: Postgres
  clock: Clock
  markets: AlertMarkets
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

/** Whoever writes a rule must be allowed to read what it tells. */
export function requireReading({ permissions }: Caller): void {
  if (permissions.api.machine_read === undefined)
    throw forbidden('This key lacks the permission machine_read')
}

/** A market is shown to hosts with an active machine in it, and to admins. */
export function requireMarket(caller: Caller, { source }: AlertMarket): void {
  if (needsMachine(caller, source ?? undefined))
    throw forbidden('Only hosts with an active machine may read the market')
}
