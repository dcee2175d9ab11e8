import { type HostApi, hostApiUrl, openHostApi } from '../../../collect/host-api.ts'
import { HostApiError, hostKeyPurpose } from '../../../collect/host-call.ts'
import { siteSource } from '../../../collect/site-source.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

/** The key of a claim, sealed, and the kind and address of its source. */
export interface KeyOfClaim {
  account_id: number
  source: string
  key_sealed: Buffer
  place: string
}

export interface KeyedApiOptions {
  /** The site's main database. */
  postgres: Postgres
  /** The markets of all sources except the first. */
  markets?: readonly { name: string; postgres: Postgres }[] | undefined
  vault: Vault
  clock: Clock
  stopping?: AbortSignal | undefined
}

/** The database of the market whose machines a key shows. */
export const marketOfKey = (
  { postgres, markets = [] }: Pick<KeyedApiOptions, 'postgres' | 'markets'>,
  { source }: Pick<KeyOfClaim, 'source'>,
): Postgres => markets.find(({ name }) => name === source)?.postgres ?? postgres

/** Opens the marketplace that a key belongs to. Throws HostApiError when the source has another one now. */
export async function openKeyedApi(
  { vault, clock, stopping, ...stores }: KeyedApiOptions,
  key: KeyOfClaim,
): Promise<HostApi> {
  const place = (await siteSource(marketOfKey(stores, key)))?.source
  if (place !== key.place)
    throw new HostApiError(
      'key',
      'The address of the source has changed since the key was given, so the key is not sent there. Give the key again.',
    )
  return openHostApi({
    url: hostApiUrl(place),
    key: vault.open(key.key_sealed, hostKeyPurpose(key.account_id)),
    userAgent: 'rackrate',
    clock,
    stop: stopping,
  })
}
