import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../platform/clock.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Caller } from '../../platform/security/auth.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { AlertMarkets } from '../alerts/markets.ts'
import type { SendHook } from '../alerts/webhook/send.ts'

/** What the routes of the autopilot work with. */
export interface Autopilot {
  postgres: Postgres
  clock: Clock
  markets: AlertMarkets
  vault: Vault
  /** Seconds between slots. */
  snapshotInterval: number
  /** Hosts that a webhook may have although they are private. */
  privateHosts: readonly string[]
  send: SendHook
  /** A program that sets prices of sources; undefined: there is none. */
  autopilotCommand?: readonly string[] | undefined
}

/** One endpoint. Each has a file of its own; src/autopilot/routes.ts lists them all. */
export type AutopilotRoute = FastifyPluginAsyncZod<Autopilot>

/** Whoever lets a price be changed must be allowed to read what it is decided from. */
export function requireReading({ permissions }: Caller): void {
  if (permissions.api.machine_read === undefined)
    throw forbidden('This key lacks the permission machine_read')
}
