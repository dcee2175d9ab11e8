import { setImmediate as turn } from 'node:timers/promises'
import { day, week } from '../../../contract/durations.ts'
import { bookDays } from '../../../contract/ladder.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { ofProduct } from '../../../contract/market-filter.ts'
import { hostAsks, hostPart } from '../../../estimates/host-price.ts'
import { type Ask, bookOfOthers } from '../../../estimates/income-curve.ts'
import { waitingOf } from '../../../estimates/pooled/wait.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { asksIn, bookRange, meanAsks } from '../../market/depth/mean-book.ts'
import { evictOldVersions } from '../../market/market-query/evict-old-versions.ts'
import type { SeriesState } from '../../market/market-query/series.ts'
import { slotsIn } from '../../market/market-query/timeline.ts'
import { costsOfMachine, type StoredCosts } from '../costs/stored.ts'
import { expectedOf } from './advice.ts'
import { compareWithSet, none, setOf } from './comp-set.ts'
import {
  type Comparables,
  type ComparedAt,
  comparedHours,
  compSets,
  flows,
  marketFlows,
  meanBook,
  wholeMarket,
} from './comparables.ts'
import type { ClassFlow } from './compared.ts'
import type { AdviseFleet } from './fleet-advice.ts'
import { type MarketRates, rateMarket } from './market-rates.ts'
import type { ListedMachine } from './own-machines.ts'
import {
  hostPartOfPast,
  type OwnAsked,
  type OwnHistory,
  pastDays,
  pastOf,
  readDays,
  readPast,
  sinceChange,
} from './own-past.ts'
import { resultsOf } from './own-results.ts'
import { rateName } from './pooled-rates.ts'
import { readWholeDays, type WholeDays } from './whole-days.ts'

const month = 30 * day

/** The time and the account of a request for figures. */
interface FiguresQuery {
  account: number
  /** The name of the market's source; undefined: the site's own market, whose hosts are its accounts. */
  source: string | undefined
  /** The series with all slots, for the machines themselves. */
  recorded: ComparedAt
  /** The series as readers may see it, for the machines of others. */
  market: ComparedAt
  /** Seconds between slots. */
  interval: number
  costs: StoredCosts
  /** The order of plans among others. */
  rank?: number | undefined
}

/** The figures of some machines of one account, by id. */
export type FiguresOf = (
  machines: readonly ListedMachine[],
  asked: FiguresQuery,
) => Promise<Map<number, OwnFigures>>

/** Figures that are the same for all hosts come from comparables.ts. Their prices are the renters', and become the host's part where they meet a machine. */
export function openFigures(
  { clickhouse, adviseFleet }: Pick<Stores, 'clickhouse'> & { adviseFleet: AdviseFleet },
  comparables: Comparables,
): FiguresOf {
  const markets = openReadCache<string, MarketRates, ComparedAt>({
    max: 1,
    fetchMethod: async (_key, _stale, { context: at }) =>
      rateMarket((await comparables(marketFlows, [wholeMarket], at)).get(wholeMarket) ?? []),
  })
  const whole = openReadCache<string, WholeDays, OwnAsked>({
    max: 10,
    fetchMethod: (_key, _stale, { context }) => readWholeDays(clickhouse, pastDays(context)),
  })
  const days = openReadCache<string, Awaited<ReturnType<typeof readDays>>, [OwnAsked, WholeDays]>({
    max: 1000,
    fetchMethod: (_key, _stale, { context: [own, days] }) => readDays(clickhouse, own, days),
  })
  const keepDays = evictOldVersions(days)
  const owns = openReadCache<string, Map<number, OwnHistory>, { own: OwnAsked; edition: string }>({
    max: 1000,
    async fetchMethod(_key, _stale, { context: { own, edition } }) {
      const past = await whole.forceFetch(edition, { context: own })
      keepDays(edition)
      const key = `${edition} ${JSON.stringify([own.ids, own.names, own.rigs])}`
      return readPast(clickhouse, own, past, days.forceFetch(key, { context: [own, past] }))
    },
  })
  const keepOwns = evictOldVersions(owns)

  return async (machines, { account, source, recorded, market: at, interval, costs, rank }) => {
    const { newest_slot: slot, revision, published, has_rentals: hasRentals } = recorded.state
    const names = [...new Set(machines.map(({ gpu_name }) => gpu_name))]
    const own = ownPastOf(machines, slot, at.state)
    const book = { from: own.book, to: own.book_to }
    keepOwns(String(revision))
    // A corrected day takes effect once it is republished.
    const before = pastDays(own)
    const [market, past, bookOf, flowsOf, setsOf, { advice: adviceOf }] = await Promise.all([
      markets.forceFetch(JSON.stringify(marketFlows.edition(at)), { context: at }),
      owns.forceFetch(`${revision} ${account} ${JSON.stringify(own)}`, {
        context: {
          own,
          edition: JSON.stringify({ ...before, slots: slotsIn(recorded.slots, before), published }),
        },
      }),
      comparables(meanBook, names, at),
      comparables(flows, names, at),
      comparables(compSets, names, at),
      adviseFleet(machines, { account, recorded, market: at, costs, rank }),
    ])
    const rated = (flows: readonly ClassFlow[]) => ({ flows, name: rateName(flows, market) })
    // Machines of one GPU name and memory share their comparables.
    const knownOf = oncePerProduct((machine) => ({
      ...rated(ofProduct(machine, flowsOf.get(machine.gpu_name) ?? [])),
      asks: asksIn(ofProduct(machine, bookOf.get(machine.gpu_name) ?? [])),
    }))
    const figuresOf = (machine: ListedMachine, advice: OwnFigures['advice']): OwnFigures => {
      const { host_share, renter_price } = machine
      const history = hostPartOfPast(past.get(machine.id), host_share)
      // The comp set leaves out the machine's own hosts, not the hosts of other machines that the account claims.
      const hosts = [...(history?.hosts ?? []), ...(source === undefined ? [account] : [])]
      const others = setOf(setsOf.get(machine.gpu_name) ?? [], machine, hosts)
      const offered = meanAsks(history?.offered ?? [[], []], slotsIn(at.slots, book))
      const { asks, ...known } = knownOf(machine)
      const [ownAsks, othersAsks] = [
        hostAsks(offered, host_share),
        hostAsks(bookOfOthers(asks, offered), host_share),
      ]
      const machineCosts = costsOfMachine(costs, machine)
      const compared = { ...known, book: othersAsks, offered: ownAsks, costs: machineCosts }
      const expected = expectedOf(machine, compared, advised(advice))
      const [all_gpus, rented_gpus, value] = history?.set ?? [0, 0, 0]
      const its = pastOf(history, { slot, interval, hasRentals })
      const since = hasRentals
        ? sinceChange(history, renter_price && hostPart(renter_price, host_share))
        : undefined
      return {
        ...its,
        waiting: waitingNow(advice, its.idle_since, slot),
        offered: columnsOf(ownAsks),
        ...expected,
        advice,
        // A machine with a position is on the market: only rentals are missing.
        reason: hasRentals || expected.position === null ? expected.reason : 'no_rentals_known',
        since_change: resultsOf(since, interval, { ...machine, ...expected }),
        comp_set: hasRentals
          ? compareWithSet({ all_gpus, rented_gpus, value }, others)
          : none('no_rentals_known'),
      }
    }
    const found = new Map<number, OwnFigures>()
    for (const machine of machines) {
      // Between two machines other requests have their turn.
      await turn()
      const advice = adviceOf.get(machine.id)
      if (advice) found.set(machine.id, figuresOf(machine, advice))
    }
    return found
  }
}

/** The idle time beside the wait at the present price. */
const waitingNow = ({ wait_now }: OwnFigures['advice'], since: number | null, now: number) =>
  wait_now === null || since === null ? null : waitingOf(wait_now, { since, now })

/** The advised prices. */
const advised = ({ price, end_price }: OwnFigures['advice']): number[] =>
  [price, end_price].filter((one) => one !== null)

const columnsOf = (asks: readonly Ask[]): OwnFigures['offered'] => ({
  price: asks.map(({ price }) => price),
  available: asks.map(({ gpus }) => gpus),
})

/** The parts of a machine's past, up to its newest slot, and the times of the market that they are compared with. */
function ownPastOf(machines: readonly ListedMachine[], slot: number, market: SeriesState) {
  const hours = comparedHours(market)
  const book = bookRange(market.newest_slot, bookDays, market)
  return {
    ids: machines.map(({ id }) => id),
    names: machines.map(({ gpu_name }) => gpu_name),
    rigs: machines.map(({ num_gpus }) => num_gpus),
    set_from: hours.from,
    set_to: hours.to,
    from: Math.max(0, slot - month),
    week: Math.max(0, slot - week),
    day: Math.max(0, slot - day),
    book: book.from,
    book_to: book.to,
    slot,
  }
}

/** Computes a value once for each product of machines. */
function oncePerProduct<Value>(make: (machine: ListedMachine) => Value): (machine: ListedMachine) => Value {
  const made = new Map<string, Value>()
  return (machine) => {
    const key = `${machine.gpu_memory} ${machine.gpu_name}`
    const value = made.get(key) ?? make(machine)
    made.set(key, value)
    return value
  }
}
