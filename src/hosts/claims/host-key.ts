import { type HostMachine, hostApiProblem, hostApiUrl, openHostApi } from '../../../collect/host-api.ts'
import { HostApiError, hostKeyPurpose } from '../../../collect/host-call.ts'
import { siteSource } from '../../../collect/site-source.ts'
import type { ClaimedIds } from '../../../contract/claims.ts'
import { mostClaimed } from '../../../contract/claims.ts'
import type { Clock } from '../../../platform/clock.ts'
import { ApiError, invalidArgs } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Postgres, Session } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Roster } from '../machines/roster.ts'
import { noteShares, type RenterPrices, renterPrices } from './note-shares.ts'
import { machinesIn, onMarket } from './stored.ts'

/** A key that the marketplace of a source has just accepted, and the machines that it shows. */
export interface TestedKey {
  key: string
  /** Kind and address of the source. */
  place: string
  machines: HostMachine[]
  /** The prices that renters pay for them. */
  prices: RenterPrices
  /** True if it can do more than read machines and earnings; null: unknown. */
  canDoMore: boolean | null
}

/** Limits two calls to less than the time that a client waits for an answer. */
const timeoutMs = 10_000

/**
 * Requests the machines of the key's account from the marketplace of a source. Throws 400 if the source supports no keys, and 422
 * when the marketplace refuses the key, or cannot be reached now.
 */
export async function testKey(
  { postgres, clock }: { postgres: Postgres; clock: Clock },
  source: string,
  key: string,
): Promise<TestedKey> {
  const place = (await siteSource(postgres))?.source ?? ''
  const problem = hostApiProblem(place)
  if (problem) throw invalidArgs(`key: ${problem}`)
  try {
    const api = openHostApi({ url: hostApiUrl(place), key, userAgent: 'rackrate', clock, timeoutMs })
    const machines = await api.readOwnMachines()
    const prices = await renterPrices(postgres, machines)
    if (machines.length > 0) return { key, place, machines, prices, canDoMore: await api.canDoMore() }
  } catch (error) {
    if (error instanceof HostApiError)
      throw new ApiError(
        422,
        error.failure === 'key' ? 'key_refused' : 'key_not_tested',
        `The key of ${source} was not saved: ${error.message}`,
      )
    throw error
  }
  throw new ApiError(422, 'no_machines', `The key of ${source} was not saved: its account has no machines.`)
}

/**
 * The ids of a claim with a key: without requested ids, the machines of the key. Throws 422 for a key whose account has none of
 * the claimed machines, which then belong to another host.
 */
export function withKey(
  roster: Roster,
  { hosts, machines }: ClaimedIds,
  tested: TestedKey | undefined,
): ClaimedIds {
  if (!tested) return { hosts, machines }
  const shown = tested.machines.map(({ id }) => id).filter((id) => roster.machines.has(id))
  const ids =
    hosts.length + machines.length > 0
      ? { hosts, machines }
      : { hosts, machines: shown.sort((a, b) => a - b) }
  const claimed = new Set(onMarket(roster, machinesIn(roster, { ...ids, shown: [] })).map(({ id }) => id))
  // No machine is claimed if the host has another id now: the key identifies its machines.
  const isNothing = ids.hosts.length + ids.machines.length === 0
  if (!isNothing && (claimed.size === 0 || shown.some((id) => claimed.has(id))))
    return { ...ids, machines: ids.machines.slice(0, mostClaimed.machines) }
  throw new ApiError(
    422,
    'no_machines',
    'The key was not saved: the marketplace shows it none of the claimed machines',
  )
}

/** Stores a tested key with a claim. */
export async function keepKey(
  client: Session,
  vault: Vault,
  { accountId, source, tested }: { accountId: number; source: string; tested: TestedKey },
): Promise<void> {
  const sealed = vault.seal(tested.key, hostKeyPurpose(accountId))
  const values = [accountId, source, sealed, tested.place, tested.canDoMore]
  const { rows } = await client.query<{ id: number }>('claims/write_key', values)
  const { id } = one(rows)
  await noteMachines(client, id, tested.machines)
  await noteShares(client, id, tested.prices)
}

/** Records the machines that a key shows now. */
export async function noteMachines(
  client: Session,
  keyId: number,
  machines: readonly HostMachine[],
): Promise<void> {
  await client.query('claims/write_machines', [keyId, JSON.stringify(machines)])
}

export async function forgetKey(client: Session, accountId: number, source: string): Promise<void> {
  await client.query('DELETE FROM claim_keys WHERE account_id = $1 AND source = $2', [accountId, source])
}
