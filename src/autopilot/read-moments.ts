import { max } from 'simple-statistics'
import { hour } from '../../contract/durations.ts'
import { sameName } from '../../contract/gpu-names.ts'
import { mostWithFigures, type OwnFigures } from '../../contract/machines.ts'
import { ofProduct } from '../../contract/market-filter.ts'
import type { AutopilotMoment } from '../../estimates/autopilot-moment.ts'
import { hostAsks, hostPart } from '../../estimates/host-price.ts'
import { groupBy } from '../../platform/group-by.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import type { ListedMachine, Owned } from '../hosts/machines/own-machines.ts'
import type { RuleMarket } from '../rules/markets.ts'
import { readRentals, readRights } from './rights.ts'

/** The state of a machine for any decision on its price. The rule adds its target. */
export interface MachineMoment {
  machine: ListedMachine
  /** The name of the market's source; undefined: the site's own market. */
  source: string | undefined
  known: Omit<AutopilotMoment, 'target' | 'rails'>
  /** True if a decision of the account on it is pending. */
  isOpen: boolean
  /** The reason why the account must not set its price now; null: it may. */
  noRight: string | null
}

export interface MomentsAsked {
  account: number
  /** True for the machines that are read. The figures of each take milliseconds. */
  isWanted: (machine: ListedMachine) => boolean
  /** The most machines that are read. */
  most?: number
  /** Seconds between slots. */
  interval: number
  now: number
}

/** A row of autopilot/past. */
interface PastDecisions {
  id: number
  price: number | null
  at: number | null
  times: number[] | null
  is_open: boolean
}

/** Reads all data that decisions on the machines of an account in a market depend on, at the newest slot. */
export async function readMoments(
  site: Session,
  market: RuleMarket,
  { account, isWanted, most = Number.POSITIVE_INFINITY, interval, now }: MomentsAsked,
): Promise<MachineMoment[]> {
  const { series, own, costs: costBook, figuresOf } = market
  const [recorded, state, slots, costs, past] = await Promise.all([
    series.recorded(),
    series.state(),
    series.slots(),
    costBook.read(account),
    site.query<PastDecisions>('autopilot/past', [account, market.source, interval]),
  ])
  const pastOf = new Map(past.rows.map((row) => [row.id, row]))
  const time = {
    now,
    slot: recorded.state.newest_slot,
    slot_before: recorded.slots.at(-2) ?? null,
    interval,
  }
  const momentsOf = async (
    machines: readonly ListedMachine[],
    { source, machines: own }: Owned,
  ): Promise<MachineMoment[]> => {
    const [figures, marketOf, rights, rentals] = await Promise.all([
      figuresOf(machines, { account, source, recorded, market: { state, slots }, interval, costs }),
      readMarkets(market, machines, {
        slot: state.newest_slot,
        account: source === undefined ? account : undefined,
        own,
      }),
      readRights(site, { account, source: market.source, machines }),
      readRentals(site, { account, source: market.source, machines }),
    ])
    return machines.map((machine) => {
      const its = figures.get(machine.id)
      const before = pastOf.get(machine.id)
      return {
        machine,
        source,
        isOpen: before?.is_open ?? false,
        noRight: rights.get(machine.id) ?? null,
        known: {
          ...time,
          price: machine.price,
          online: machine.online,
          idle_since: its?.idle_since ?? null,
          rental: rentals.get(machine.id),
          left: before?.price != null && before.at !== null ? { price: before.price, at: before.at } : null,
          changes: before?.times ?? [],
          cost_floor: its?.costs.minimum_bid ?? null,
          recommended: its?.advice.price ?? null,
          own_results: its?.since_change ? resultsOf(its.since_change) : null,
          ...marketOf(machine),
        },
      }
    })
  }
  const found: MachineMoment[] = []
  for await (const page of own.pages(account, 1000)) {
    const wanted = page.machines.filter(isWanted).slice(0, most - found.length)
    for (let first = 0; first < wanted.length; first += mostWithFigures)
      found.push(...(await momentsOf(wanted.slice(first, first + mostWithFigures), page)))
    if (found.length >= most) break
  }
  return found
}

const resultsOf = ({ occupancy, covered_seconds }: NonNullable<OwnFigures['since_change']>) => ({
  occupancy,
  hours: covered_seconds / hour,
})

/** A row of autopilot/asks. */
interface AskRow {
  gpu_name: string
  id: number
  host: number
  verified: boolean
  hosting_type: string
  gpu_memory: number
  price: number
  gpus: number
}

/**
 * The asking prices of other machines of a machine's class at a slot (GPU name, memory, verified or not, hosting type), and the
 * number of others with its GPU name and memory. Asks are the host's part of what renters pay, as the machine's own price is. Machines of its own host are left out: otherwise a host would follow himself.
 */
async function readMarkets(
  { clickhouse }: RuleMarket,
  machines: readonly ListedMachine[],
  { slot, account, own }: { slot: number; account: number | undefined; own: readonly ListedMachine[] },
): Promise<(machine: ListedMachine) => Pick<AutopilotMoment, 'market' | 'name_market'>> {
  const names = [...new Set(machines.map(({ gpu_name }) => gpu_name))]
  const query = 'autopilot/asks'
  const rows = names.length === 0 ? [] : await selectRows<AskRow>(clickhouse, query, { names, slot })
  const ofName = groupBy(rows, ({ gpu_name }) => gpu_name)
  const ownIds = new Set(own.map(({ id }) => id))
  const ownHosts = new Set(rows.filter(({ id }) => ownIds.has(id)).map(({ host }) => host))
  if (account !== undefined) ownHosts.add(account)
  return (machine) => {
    const others = ofProduct(machine, ofName.get(machine.gpu_name) ?? []).filter(
      ({ id, host }) => !ownIds.has(id) && (host === 0 || !ownHosts.has(host)),
    )
    const ofClass = others.filter(
      (row) => Boolean(row.verified) === machine.verified && row.hosting_type === machine.hosting_type,
    )
    return {
      market: {
        asks: hostAsks(
          ofClass.map(({ price, gpus }) => ({ price, gpus })),
          machine.host_share,
        ),
        ...crowdOf(ofClass),
      },
      name_market: {
        ...crowdOf(others),
        dearest:
          others.length === 0 ? null : hostPart(max(others.map(({ price }) => price)), machine.host_share),
      },
    }
  }
}

const crowdOf = (asks: readonly AskRow[]): Omit<AutopilotMoment['market'], 'asks'> => ({
  machines: new Set(asks.map(({ id }) => id)).size,
  // A machine with an unknown host counts as a host of its own.
  hosts: new Set(asks.map(({ host, id }) => (host === 0 ? `machine ${id}` : host))).size,
})

/**
 * The rule that applies to a machine, of rules sorted from the oldest: a rule on this machine, otherwise one on its GPU,
 * otherwise one on all.
 */
export const ruleFor = <Rule extends { machine_id: string | number | null; gpu_name: string | null }>(
  rules: readonly Rule[],
  { id, gpu_name }: ListedMachine,
): Rule | undefined =>
  rules.find((rule) => rule.machine_id !== null && Number(rule.machine_id) === id) ??
  rules.find(
    (rule) => rule.machine_id === null && rule.gpu_name !== null && sameName(rule.gpu_name, gpu_name),
  ) ??
  rules.find((rule) => rule.machine_id === null && rule.gpu_name === null)
