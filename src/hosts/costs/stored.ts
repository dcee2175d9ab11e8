import type { z } from 'zod'
import { type Costs, noCosts } from '../../../contract/cost-fields.ts'
import type { costsAnswer, costsBody } from '../../../contract/costs.ts'
import { greatestId } from '../../../contract/fields.ts'
import { costsOf, type KnownCosts } from '../../../estimates/costs.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { acting, type Postgres } from '../../../platform/stores/postgres.ts'
import type { OwnMachines } from '../machines/own-machines.ts'
import { requireUsual } from './require-usual.ts'

type WrittenCosts = z.output<typeof costsBody>
export type StoredCosts = Omit<z.infer<typeof costsAnswer>, 'success'>

type Costed = Parameters<typeof costsOf>[2] & { id: number }

/** The costs of a machine from all that its account has entered. */
export const costsOfMachine = ({ account, machines }: StoredCosts, machine: Costed): KnownCosts =>
  costsOf(
    account,
    machines.find(({ id }) => id === machine.id),
    machine,
  )

/** The costs that accounts have entered in one market. */
export interface CostBook {
  read(accountId: number): Promise<StoredCosts>
  /**
   * Replaces the costs of all machines of an account (null), or of one of them. Throws 404 when it has no such machine, and 422
   * for unconfirmed costs far from the usual values.
   */
  write(caller: Caller, machineId: number | null | undefined, written: WrittenCosts): Promise<void>
  /** Deletes the costs of one machine. Throws 404 when the account has no such machine. */
  forget(caller: Caller, machineId: number | undefined): Promise<void>
}

export const noMachine = () => notFound('There is no such machine')

interface CostMarket {
  /** The site's main database. */
  site: Postgres
  own: OwnMachines
  /** The name of the source; undefined: the first one, or the site's own market. */
  source?: string | undefined
}

export function openCostBook({ site, own, source: name }: CostMarket): CostBook {
  /** The source of the market; undefined: the site's own market, whose statements check the machine themselves. */
  async function sourceWith(accountId: number, machineId: number | null): Promise<string | undefined> {
    const { source, of } = await own.ids([accountId])
    const isOwn = machineId === null || source === undefined || of.get(accountId)?.includes(machineId)
    if (!isOwn || (source === undefined && (machineId ?? 0) > greatestId)) throw noMachine()
    return source
  }
  async function read(accountId: number): Promise<StoredCosts> {
    const query = 'costs/list'
    const { rows } = await site.query<Costs & { id: number | null }>(query, [accountId, name ?? null])
    const account = rows.find(({ id }) => id === null) ?? noCosts
    return {
      account,
      machines: rows.flatMap(({ id, ...costs }) => (id === null ? [] : [{ id, ...costs }])),
    }
  }
  return {
    read,
    async write(caller, machineId, { confirm_unusual: isConfirmed = false, ...costs }) {
      if (machineId === undefined) throw noMachine()
      const { accountId } = caller
      const source = await sourceWith(accountId, machineId)
      if (!isConfirmed)
        await requireUsual({ own, stored: await read(accountId), accountId, machineId, costs })
      const json = JSON.stringify(costs)
      const { rowCount } =
        source === undefined
          ? await acting(site, caller).query('costs/write', [accountId, machineId, json])
          : await acting(site, caller).query('costs/write_of_source', [accountId, source, machineId, json])
      if (rowCount === 0) throw noMachine()
    },
    async forget(caller, machineId) {
      if (machineId === undefined) throw noMachine()
      const { accountId } = caller
      const source = await sourceWith(accountId, machineId)
      if (source !== undefined) {
        const query = 'DELETE FROM source_costs WHERE account_id = $1 AND source = $2 AND machine_id = $3'
        await acting(site, caller).query(query, [accountId, source, machineId])
        return
      }
      const { rowCount } = await acting(site, caller).query('costs/forget', [accountId, machineId])
      if (rowCount === 0) throw noMachine()
    },
  }
}
