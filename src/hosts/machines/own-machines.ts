import type { z } from 'zod'
import { soldMemory } from '../../../contract/gpu-memory.ts'
import { mostWithFigures, type ownMachine } from '../../../contract/machines.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { SeriesState } from '../../market/market-query/series.ts'
import { machinesIn, type ProvenClaim, type StoredClaim } from '../claims/stored.ts'
import { hostPriceOf, readHostShares } from './host-shares.ts'
import { onceASlot } from './once-a-slot.ts'
import { type RosterMachine, rosterOf } from './roster.ts'

/** A machine of an account as its market lists it now. */
export type ListedMachine = Omit<
  z.infer<typeof ownMachine>,
  'avail_percentile' | 'rented_percentile' | 'terms' | 'country' | 'marketplace' | 'figures'
>

/** A selection of an account's machines: after an id (0: from the first), or a single one (0: all). */
export interface Page {
  limit: number
  after: number
  id: number
}

/** Machines of an account, by GPU and id. */
export interface Owned {
  /** The name of the market's source; undefined: the site's own. */
  source: string | undefined
  machines: ListedMachine[]
}

/** The owners of machines in one market. */
export interface OwnMachines {
  page(accountId: number, page: Page): Promise<Owned>
  /** All machines of an account in pages, which have at least one machine except the first. */
  pages(accountId: number, limit?: number): AsyncGenerator<Owned>
  /** The source of the market, and the ids of all machines of some accounts, which may be empty. */
  ids(accountIds: readonly number[]): Promise<{ source: string | undefined; of: Map<number, number[]> }>
}

export interface OwnMarket {
  /** The site's main database: it has its accounts and claims, and the machines of its own market. */
  site: Postgres
  clickhouse: ClickHouse
  series: { state(): Promise<SeriesState> }
  /** The name of the source; undefined: the first one, or the site's own market. */
  source?: string | undefined
}

type KeyedClaim = StoredClaim & Pick<ProvenClaim, 'shown'>

/**
 * The machines of accounts in one market: in the site's own market from its tables, in a source's market from the accounts'
 * claims. All code that needs own machines reads them here.
 */
export function openOwnMachines({ site, clickhouse, series, source: name }: OwnMarket): OwnMachines {
  const readListed = onceASlot((machines: readonly RosterMachine[], slot) =>
    listedAt(clickhouse, machines, slot),
  )
  const claimsIn = async (accountIds: readonly number[]) => {
    const { rows } = await site.query<{ account_id: number | null } & KeyedClaim>('claims/of_market', [
      name ?? null,
      accountIds,
    ])
    const claims = rows.flatMap(({ account_id, ...claim }) =>
      account_id === null ? [] : [[account_id, claim] as const],
    )
    return { source: rows[0]?.source, claims: new Map(claims) }
  }

  async function claimed(
    account: number,
    claim: KeyedClaim | undefined,
    { limit, after, id }: Page,
  ): Promise<ListedMachine[]> {
    if (!claim) return []
    const state = await series.state()
    const all = machinesIn(await rosterOf(clickhouse, state), claim)
    const from = after === 0 ? 0 : all.findIndex((machine) => machine.id === after) + 1
    // As in the site's own market: no machine follows one that is not on the list.
    if (after !== 0 && from === 0) return []
    const found = id === 0 ? all.slice(from, from + limit) : all.filter((machine) => machine.id === id)
    const [listed, shares] = await Promise.all([
      readListed(found, state),
      readHostShares(site, { account, source: claim.source, ids: found.map((machine) => machine.id) }),
    ])
    return asListed(found, listed).map((machine) => {
      const row = shares.get(machine.id)
      return {
        ...machine,
        rented_gpus: state.has_rentals ? machine.rented_gpus : null,
        price: hostPriceOf(machine.renter_price, row),
        rented_price: hostPriceOf(machine.rented_price, row),
        host_share: row?.host_share ?? null,
      }
    })
  }

  const page: OwnMachines['page'] = async (accountId, query) => {
    const { source, claims } = await claimsIn([accountId])
    if (source !== undefined)
      return { source, machines: await claimed(accountId, claims.get(accountId), query) }
    const values = [accountId, query.limit, query.after, query.id]
    const { rows } = await site.query<OwnRow>('market/own_machines', values)
    const machines = rows.map(({ gpu_ram, ...one }) => ({
      ...one,
      gpu_memory: soldMemory(gpu_ram),
      // The fee is among the costs.
      renter_price: one.price,
      host_share: null,
    }))
    return { source, machines }
  }

  return {
    page,
    async *pages(accountId, limit = mostWithFigures) {
      for (let after = 0; ; ) {
        const found = await page(accountId, { limit, after, id: 0 })
        const last = found.machines.at(-1)
        if (last || after === 0) yield found
        if (!last || found.machines.length < limit) return
        after = last.id
      }
    },
    async ids(accountIds) {
      const { source, claims } = await claimsIn(accountIds)
      if (source === undefined) {
        const query = 'alerts/owned'
        const { rows } = await site.query<{ account_id: number; ids: number[] }>(query, [accountIds])
        return { source, of: new Map(rows.map(({ account_id, ids }) => [account_id, ids])) }
      }
      if (claims.size === 0) return { source, of: new Map() }
      const roster = await rosterOf(clickhouse, await series.state())
      const idsOf = (claim: KeyedClaim) => machinesIn(roster, claim).map(({ id }) => id)
      return { source, of: new Map([...claims].map(([account, claim]) => [account, idsOf(claim)])) }
    },
  }
}

/** A row of market/own_machines. */
type OwnRow = Omit<ListedMachine, 'gpu_memory' | 'renter_price' | 'host_share'> & { gpu_ram: number }

/** Prices are of renters. */
type Now = Pick<ListedMachine, 'id' | 'renter_price' | 'rented_gpus' | 'rented_price'>

/** The machines among some that are on the market at a slot. */
async function listedAt(
  clickhouse: ClickHouse,
  machines: readonly RosterMachine[],
  slot: number,
): Promise<Map<number, Now>> {
  const seen = machines.filter(({ last_slot }) => last_slot === slot)
  if (seen.length === 0) return new Map()
  const rows = await selectRows<Now>(clickhouse, 'machines/listed', {
    ids: seen.map(({ id }) => id),
    names: [...new Set(seen.map(({ gpu_name }) => gpu_name))],
    slot,
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/** Machines with their state at a slot, in prices of renters. A machine without one is offline, or not on offer: from outside these look the same. */
const asListed = (machines: readonly RosterMachine[], nowOf: ReadonlyMap<number, Now>) =>
  machines.map((machine) => {
    const { id, gpu_name } = machine
    const now = nowOf.get(id) ?? { renter_price: null, rented_gpus: 0, rented_price: null }
    return { id, gpu_name, ...filterOf(machine), online: nowOf.has(id), ...now }
  })
