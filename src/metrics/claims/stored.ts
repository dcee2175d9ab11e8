import type { z } from 'zod'
import type { Claim, claimBody, MachinesTaken } from '../../../contract/claims.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { Session } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Roster, RosterMachine } from '../machines/roster.ts'

/** What an account claims of a source. */
export interface StoredClaim {
  source: string
  hosts: number[]
  machines: number[]
}

type Body = Pick<z.infer<typeof claimBody>, 'hosts' | 'machines'>

/** What an account claims, by source. */
export async function claimsOf(postgres: Session, accountId: number): Promise<StoredClaim[]> {
  return (await postgres.query<StoredClaim>(loadSql('postgres/queries/claims/list'), [accountId])).rows
}

/** Replaces what an account claims of a source; without ids it claims nothing then. */
export async function writeClaim(
  postgres: Session,
  accountId: number,
  { source, hosts, machines }: StoredClaim,
): Promise<void> {
  if (hosts.length + machines.length === 0) return forgetClaim(postgres, accountId, source)
  await postgres.query(loadSql('postgres/queries/claims/write'), [accountId, source, hosts, machines])
}

export async function forgetClaim(postgres: Session, accountId: number, source: string): Promise<void> {
  await postgres.query('DELETE FROM claims WHERE account_id = $1 AND source = $2', [accountId, source])
}

/** The machines of a claim, by GPU name and id. Those of its hosts are those that have one of them now. */
export function machinesIn({ machines }: Roster, claim: Body): RosterMachine[] {
  const [hosts, ids] = [new Set(claim.hosts), new Set(claim.machines)]
  return [...machines.values()].filter(({ id, host }) => ids.has(id) || hosts.has(host)).sort(byNameAndId)
}

const byNameAndId = (one: RosterMachine, other: RosterMachine): number =>
  one.gpu_name === other.gpu_name ? one.id - other.id : one.gpu_name < other.gpu_name ? -1 : 1

/**
 * Throws 400 for ids that the source has not shown within 30 days, and that were not claimed before. Otherwise a host whose machines are away
 * for long could not change what it claims.
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

/** Machines in few numbers. */
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

/** A claim as answers have it. */
export const claimIn = (roster: Roster, claim: StoredClaim): Claim => ({
  ...claim,
  proven: false,
  taken: takenOf(machinesIn(roster, claim)),
})
