import type { Vault } from '../platform/security/vault.ts'
import { readWithKeys } from '../src/hosts/claims/read-with-keys.ts'
import { fleetAt, type openClaimed } from './claimed.ts'
import { hostMachine } from './host-accounts.ts'

type Site = Awaited<ReturnType<typeof openClaimed>>

const interval = 300

/** The machines of host 50 in the last slot. */
export const ofHost50 = (): number[] =>
  fleetAt(10, true)
    .filter(({ host }) => host === 50)
    .map(({ id }) => id)

/** The earnings of a machine by the age of the day, for each of the 40 days before today, and today. */
export const usdOf = (machine: number, age: number): number =>
  age % 5 === machine % 3 ? 0 : ((machine * 7 + age * 13) % 400) / 16

/** An account of the marketplace with machines, as the marketplace has them. */
export function openAccount({ other, databases }: Site, key: string, ids: readonly number[]) {
  const rigs = new Map(other.rigs.map((rig) => [rig.id, rig]))
  const account = other.accounts.add(
    key,
    ids.map((id) => {
      const { gpus = 4, price = 0.4, rented = 0, gpu = 'RTX 4090', host = 50 } = rigs.get(id) ?? {}
      const letters = Array.from({ length: gpus }, (_, index) => (index < rented ? 'D' : 'x')).join(' ')
      const more = { num_gpus: gpus, gpu_name: gpu, host_id: host }
      return hostMachine(id, { ...more, listed_gpu_cost: price, gpu_occupancy: letters })
    }),
  )
  const today = Math.floor(databases.clock.now() / 86_400)
  for (const id of ids)
    account.earned.set(
      id,
      new Map(Array.from({ length: 41 }, (_, age) => [today - age, usdOf(id, age)] as const)),
    )
  return account
}

/** Reads with all keys at the pace of slots. The earnings of four machines are read in a turn. */
export async function readTurns({ databases, market }: Site, turns = 1, vault: Vault = databases.vault) {
  const { postgres, clock } = databases
  const markets = [{ name: 'vast', postgres: market.postgres }]
  const stopping = new AbortController().signal
  const done: { read: number; failed: number }[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const options = { postgres, markets, vault, clock, stopping, snapshotInterval: interval, pauseMs: 0 }
    done.push(await readWithKeys(options))
    await clock.advance(interval)
  }
  return done
}
