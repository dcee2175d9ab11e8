import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { bookOfOthers } from '../../../contract/fill-rate.ts'
import { bookDays, floorTo } from '../../../contract/ladder.ts'
import type { OwnFigures, ownMachine } from '../../../contract/machines.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { askOf, bookRange, type Level, meanAsks, readMeanBook } from '../depth/mean-book.ts'
import { everything } from '../histogram.ts'
import { slotsIn } from '../history/timeline.ts'
import type { SeriesState } from '../series-state.ts'
import { adviseOn, type Known } from './advice.ts'
import { compareWithSet, type HostInClass } from './comp-set.ts'
import type { ClassFlow } from './compared.ts'
import { type MarketRates, rateMarket } from './market-rates.ts'
import { rateName } from './pooled-rates.ts'

type Machine = Omit<z.infer<typeof ownMachine>, 'avail_percentile' | 'rented_percentile' | 'figures'>

/** A row of machines/own_history.sql. */
interface OwnHistory {
  id: number
  gpus_30d: number
  rented_30d: number
  value_30d: number
  gpus_7d: number
  rented_7d: number
  value_7d: number
  gpus_1d: number
  rented_1d: number
  value_1d: number
  first_slot: number
  rented_slot: number
  free_now: number
  rented_now: number
  asks: [number, number][]
  /** Its prices since the begin of the book, and its GPUs available at each, summed over the slots. */
  offered: [number[], number[]]
}

const day = 86_400
const week = 7 * 86_400
const month = 30 * 86_400
const mostPrices = 500

/** When and for whom figures are asked. */
interface Asked {
  account: number
  state: SeriesState
  /** The slots that readers may see, in order. */
  slots: Uint32Array
  /** Seconds between slots. */
  interval: number
}

/** The figures of some machines of one account, by id. */
export type FiguresOf = (machines: readonly Machine[], asked: Asked) => Promise<Map<number, OwnFigures>>

/** What is the same for all hosts is read once: the mean book of a GPU name for a slot, flows and comp sets for an hour. */
export function openFigures(clickhouse: ClickHouse): FiguresOf {
  const select = <Row>(name: string, parameters: Parameters<typeof selectRows>[2]) =>
    selectRows<Row>(clickhouse, loadSql(`clickhouse/queries/machines/${name}`), parameters)
  const shared = <Row extends { gpu_name: string }>() => {
    const cache = new LRUCache<string, Promise<Row[]>>({ max: 500 })
    return async (
      names: readonly string[],
      times: Record<string, number>,
      read: (names: string[]) => Promise<Row[]>,
    ): Promise<Map<string, Row[]>> => {
      const keyOf = (gpu: string) => `${JSON.stringify(times)} ${gpu}`
      const known = new Map(names.map((gpu) => [gpu, cache.get(keyOf(gpu))]))
      const missing = names.filter((gpu) => !known.get(gpu))
      // One statement for all names that are not known yet: planning takes longer than reading.
      const found = missing.length > 0 ? read(missing) : Promise.resolve([])
      for (const gpu of missing) {
        const rows = found.then((all) => all.filter(({ gpu_name }) => gpu_name === gpu))
        rows.catch(() => cache.delete(keyOf(gpu)))
        cache.set(keyOf(gpu), rows)
        known.set(gpu, rows)
      }
      return new Map(
        await Promise.all(names.map(async (gpu) => [gpu, (await known.get(gpu)) ?? []] as const)),
      )
    }
  }
  const books = shared<Level>()
  const flows = shared<ClassFlow>()
  const sets = shared<HostInClass>()
  const markets = new LRUCache<string, MarketRates, Record<string, number>>({
    max: 10,
    fetchMethod: async (_key, _stale, { context }) =>
      rateMarket(await select<ClassFlow>('class_flows', { names: [], ...context })),
  })
  const owns = new LRUCache<string, OwnHistory[], Record<string, number | number[] | string[]>>({
    max: 1000,
    fetchMethod: (_key, _stale, { context }) => select<OwnHistory>('own_history', context),
  })

  return async (machines, { account, state, slots, interval }) => {
    const { newest_slot: slot, revision } = state
    const names = [...new Set(machines.map(({ gpu_name }) => gpu_name))]
    const ids = machines.map(({ id }) => id)
    // Whole hours, so that they are read once an hour. A past that is changed shows an hour later.
    const to = floorTo(3600, slot)
    const hours = { from: Math.max(0, to - week), to }
    const book = bookRange(slot, bookDays)
    const own = {
      ids,
      names: machines.map(({ gpu_name }) => gpu_name),
      rigs: machines.map(({ num_gpus }) => num_gpus),
      from: Math.max(0, slot - month),
      week: Math.max(0, slot - week),
      day: Math.max(0, slot - day),
      book: book.from,
      slot,
    }
    const [market, histories, bookOf, flowsOf, setsOf] = await Promise.all([
      markets.forceFetch(`${to}`, { context: hours }),
      owns.forceFetch(`${account} ${revision} ${JSON.stringify(own)}`, { context: own }),
      books(names, { slot, revision }, (missing) =>
        readMeanBook(clickhouse, { ...everything, names: missing }, { ...book, slots, state }),
      ),
      flows(names, hours, (missing) => select<ClassFlow>('class_flows', { names: missing, ...hours })),
      sets(names, hours, (missing) => select<HostInClass>('comp_sets', { names: missing, ...hours })),
    ])
    const rated = (flows: readonly ClassFlow[]) => ({ flows, name: rateName(flows, market) })
    const knownOf = new Map([...flowsOf].map(([name, flows]) => [name, rated(flows)]))
    const historyOf = new Map(histories.map((history) => [history.id, history]))
    return new Map(
      machines.map((machine) => {
        const history = historyOf.get(machine.id)
        const others = (setsOf.get(machine.gpu_name) ?? []).filter(
          (row) => row.host !== account && sameClass(row, machine),
        )
        const offered = meanAsks(history?.offered ?? [[], []], slotsIn(slots, book))
        const asks = (bookOf.get(machine.gpu_name) ?? []).map(askOf)
        const known = knownOf.get(machine.gpu_name) ?? rated([])
        const figures = {
          ...pastOf(history, slot, interval),
          offered: {
            price: offered.map(({ price }) => price),
            available: offered.map(({ gpus }) => gpus),
          },
          ...priceAdvice(machine, { ...known, book: bookOfOthers(asks, offered) }),
          comp_set: compareWithSet(
            {
              all_gpus: history?.gpus_7d ?? 0,
              rented_gpus: history?.rented_7d ?? 0,
              value: history?.value_7d ?? 0,
            },
            others,
          ),
        }
        return [machine.id, figures]
      }),
    )
  }
}

const sameClass = (row: HostInClass, { num_gpus, verified, hosting_type }: Machine): boolean =>
  row.num_gpus === num_gpus && row.verified === verified && row.hosting_type === hosting_type

function priceAdvice(machine: Machine, known: Known) {
  const { price, online } = machine
  if (price !== null && online) return adviseOn({ ...machine, price }, known)
  return {
    ...{ class: null, position: null, fill_rate: null, hours_to_rent: null, income: null },
    ...{ fill_rates: [], return_rate: null, curve: [], best_price: null },
    reason: price === null ? ('not_listed' as const) : ('not_on_market' as const),
  }
}

function pastOf(history: OwnHistory | undefined, slot: number, interval: number) {
  const asks = history?.asks.slice(-mostPrices) ?? []
  const price_history = { timestamps: asks.map(([time]) => time), price: asks.map(([, price]) => price) }
  if (!history)
    return {
      ...{ occupancy_1d: null, occupancy_7d: null, occupancy_30d: null },
      ...{ income_1d: 0, income_7d: 0, income_30d: 0 },
      idle_since: null,
      price_history,
    }
  const share = (rented: number, all: number) => (all === 0 ? null : rented / all)
  const isIdle = history.rented_now === 0 && history.free_now > 0
  return {
    occupancy_1d: share(history.rented_1d, history.gpus_1d),
    occupancy_7d: share(history.rented_7d, history.gpus_7d),
    occupancy_30d: share(history.rented_30d, history.gpus_30d),
    income_1d: (history.value_1d * interval) / 3600,
    income_7d: (history.value_7d * interval) / 3600,
    income_30d: (history.value_30d * interval) / 3600,
    idle_since: isIdle ? Math.min(slot, idleSince(history, interval)) : null,
    price_history,
  }
}

/** The slot behind the last one in which a GPU was rented, or the first in which it was seen. */
export const idleSince = (
  { rented_slot, first_slot }: Pick<OwnHistory, 'rented_slot' | 'first_slot'>,
  interval: number,
): number => (rented_slot === 0 ? first_slot : rented_slot + interval)
