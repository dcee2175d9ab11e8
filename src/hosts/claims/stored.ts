import type { z } from 'zod'
import type { Claim, claimBody, MachinesTaken } from '../../../contract/claims.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { Session } from '../../../platform/stores/postgres.ts'
import type { Roster, RosterMachine } from '../machines/roster.ts'

/** The claim of an account in a source. */
export interface StoredClaim {
  source: string
  hosts: number[]
  machines: number[]
}

/** A claim with the machines that the marketplace shows to the account's key. */
export interface ProvenClaim extends StoredClaim {
  /** The machines of the key's account; none without a key. */
  shown: number[]
  proof: { proven_at: number; refused: boolean; can_do_more: boolean | null; problem: string | null } | null
}

type Body = Pick<z.infer<typeof claimBody>, 'hosts' | 'machines'>

/** The claims of an account, by source. */
export async function claimsOf(postgres: Session, accountId: number): Promise<ProvenClaim[]> {
  return (await postgres.query<ProvenClaim>('claims/list', [accountId])).rows
}

/** Replaces the claim of an account in a source. Without ids the claim is removed. */
export async function writeClaim(
  postgres: Session,
  accountId: number,
  { source, hosts, machines }: StoredClaim,
): Promise<void> {
  if (hosts.length + machines.length === 0) return forgetClaim(postgres, accountId, source)
  await postgres.query('claims/write', [accountId, source, hosts, machines])
}

export async function forgetClaim(postgres: Session, accountId: number, source: string): Promise<void> {
  await postgres.query('DELETE FROM claims WHERE account_id = $1 AND source = $2', [accountId, source])
}

/**
 * The machines of a claim, by GPU name and id. Machines of its hosts are the machines with such a host now. Machines of its key
 * stay when their host gets another id.
 */
export function machinesIn({ machines }: Roster, claim: Body & Pick<ProvenClaim, 'shown'>): RosterMachine[] {
  const [hosts, ids] = [new Set(claim.hosts), new Set([...claim.machines, ...claim.shown])]
  return [...machines.values()].filter(({ id, host }) => ids.has(id) || hosts.has(host)).sort(byNameAndId)
}

const byNameAndId = (one: RosterMachine, other: RosterMachine): number =>
  one.gpu_name === other.gpu_name ? one.id - other.id : one.gpu_name < other.gpu_name ? -1 : 1

/**
 * Throws 400 for ids that the source has not shown within 30 days, and that were not claimed before. Otherwise a host whose
 * machines are long offline could not change the claim.
 */
export function requireShown(roster: Roster, { source, hosts, machines }: StoredClaim, before?: Body): void {
  const unknown = (ids: readonly number[], isKnown: (id: number) => boolean, known: readonly number[] = []) =>
    ids.filter((id) => !isKnown(id) && !known.includes(id))
  const problems = [
    ['hosts', 'host', unknown(hosts, (id) => roster.ofHost.has(id), before?.hosts)] as const,
    ['machines', 'machine', unknown(machines, (id) => roster.machines.has(id), before?.machines)] as const,
  ].filter(([, , ids]) => ids.length > 0)
  if (problems.length === 0) return
  const sentences = problems.map(
    ([field, word, ids]) =>
      `${field}: ${source} has shown no ${word} ${ids.slice(0, mostNamed).join(', ')}${ids.length > mostNamed ? ', …' : ''} in the last 30 days`,
  )
  throw invalidArgs(sentences.join('; '))
}
const mostNamed = 5

/** Summary of machines in a few numbers. */
export function takenOf(found: readonly RosterMachine[]): MachinesTaken {
  const types = new Map<string, MachinesTaken['gpu_types'][number]>()
  for (const { gpu_name, num_gpus } of found) {
    const { machines, gpus } = types.get(gpu_name) ?? { machines: 0, gpus: 0 }
    types.set(gpu_name, { gpu_name, machines: machines + 1, gpus: gpus + num_gpus })
  }
  return {
    machines: found.length,
    gpus: found.reduce((sum, { num_gpus }) => sum + num_gpus, 0),
    gpu_types: [...types.values()].sort((one, other) => other.gpus - one.gpus),
  }
}

/** The machines that are on the market at the newest slot. */
export function onMarket(roster: Roster, machines: readonly RosterMachine[]): RosterMachine[] {
  const newest = [...roster.machines.values()].reduce((slot, { last_slot }) => Math.max(slot, last_slot), 0)
  return machines.filter(({ last_slot }) => last_slot === newest)
}

/** A claim as answers contain it. */
export function claimIn(roster: Roster, { proof, shown, ...claim }: ProvenClaim): Claim {
  const machines = machinesIn(roster, { ...claim, shown })
  const known = new Set(shown)
  const others = onMarket(roster, machines).filter(({ id }) => !known.has(id))
  const named = others.slice(0, mostNamed).map(({ id }) => id)
  const foreign =
    others.length > 0
      ? `The marketplace does not show machine ${named.join(', ')}${others.length > mostNamed ? ', …' : ''} to the key.`
      : null
  return {
    ...claim,
    proven: proof !== null && !proof.refused && foreign === null,
    proof: proof && {
      proven_at: proof.proven_at,
      machines: shown.length,
      can_do_more: proof.can_do_more,
      problem: proof.problem ?? foreign,
    },
    taken: takenOf(machines),
  }
}
