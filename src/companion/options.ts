import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { Controller } from './copytool/controller.ts'

/** What the routes of the companion service stand on. */
export interface CompanionOptions {
  postgres: Postgres
  vault: Vault
  /** Called after something was put into the outbox: deliver soon. */
  onOutbox: () => void
  /** Tells hosts that a task waits for them. */
  controller: Controller
  /** Where clients reach this service; undefined: as the request says. */
  publicUrl: string | undefined
}
