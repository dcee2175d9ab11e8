import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../platform/clock.ts'
import { forbidden } from '../../platform/errors.ts'
import { type Caller, needsMachine } from '../../platform/security/auth.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import type { SeriesView } from '../metrics/question/series.ts'
import type { SendHook } from './webhook/send.ts'

/** What the routes of alerts work with. */
export interface Alerts extends Stores {
  clock: Clock
  series: SeriesView
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

/** The market is shown to hosts with an active machine, and to admins. */
export function requireMarket(caller: Caller): void {
  if (needsMachine(caller)) throw forbidden('Only hosts with an active machine may read the market')
}
