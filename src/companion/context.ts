import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { lockAccount } from '../../platform/security/lock-account.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type Actor, type Postgres, transaction } from '../../platform/stores/postgres.ts'
import type { Controller } from './copytool/controller.ts'

/** The databases and settings of the routes of the account services. */
export interface Companion {
  postgres: Postgres
  clock: Clock
  vault: Vault
  /** Call it after a message was written to the outbox: it requests a delivery soon. */
  onOutbox: () => void
  /** Notifies a host of a waiting task. */
  controller: Controller
  /** The URL at which clients reach this service. undefined: the address on which it listens. */
  publicUrl: string | undefined
  /** True if people can sign in through a mailed link: the site sends mail. */
  signInByMail: boolean
}

/** One endpoint. Each has a file of its own; src/app.ts lists them all. */
export type CompanionRoute = FastifyPluginAsyncZod<Companion>

/** An account whose row is locked, and the transaction that holds the lock. */
export interface Account {
  id: number
  client: pg.PoolClient
  clock: Clock
  vault: Vault
}

/**
 * Runs `work` in one transaction that locks the account's row. Throws 401 when the account was deleted. `caller` is named in the audit
 * of changes.
 */
export const withAccount = <T>(
  { postgres, clock, vault, caller }: Pick<Companion, 'postgres' | 'clock' | 'vault'> & { caller?: Actor },
  id: number,
  work: (account: Account) => Promise<T>,
): Promise<T> =>
  transaction(
    postgres,
    async (client) => {
      await lockAccount(client, id)
      return work({ id, client, clock, vault })
    },
    caller,
  )
