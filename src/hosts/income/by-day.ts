import { day, hour } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { hourlyCosts, isEntered, type KnownCosts } from '../../../estimates/costs.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { evictOldVersions } from '../../market/market-query/evict-old-versions.ts'
import type { ListedMachine } from '../machines/own-machines.ts'
import { readWholeDays } from '../machines/whole-days.ts'

export interface CostedMachine extends Pick<ListedMachine, 'id' | 'gpu_name' | 'num_gpus' | 'host_share'> {
  costs: KnownCosts
}

interface Days {
  /** The start of the first day. */
  from: number
  /** The newest slot. */
  slot: number
  /** Seconds between slots. */
  interval: number
  revision: number
}

/** Machines seen in a day, and their income in USD. `net` is null if some machine has no costs. */
export interface DayIncome {
  machines: number
  income: number
  net: number | null
}

/** A row of machines/income_by_day: sums over the slots of a day. */
interface DayRow {
  day: number
  machines: number
  value: number
  left_value: number
}

/** The most machines of one statement: ClickHouse refuses longer lists of parameters. */
const atOnce = 1000

/** Reads the incomes of machines by day, once for each newest slot. */
export function openDailyIncome(clickhouse: ClickHouse) {
  const known = openReadCache<string, DayRow[], IncomeParameters>({
    max: 200,
    fetchMethod: (_key, _stale, { context }) => readRows(clickhouse, context),
  })
  const keepOnly = evictOldVersions(known)
  return async (
    machines: readonly CostedMachine[],
    { from, slot, interval, revision }: Days,
  ): Promise<Map<number, DayIncome>> => {
    keepOnly(`${revision}`)
    const hasCosts = machines.every(({ costs }) => isEntered(costs))
    const found = new Map<number, DayIncome>()
    for (let first = 0; first < machines.length; first += atOnce) {
      const context = { ...parametersOf(machines.slice(first, first + atOnce)), from, slot }
      const rows = await known.forceFetch(`${revision} ${JSON.stringify(context)}`, { context })
      for (const row of rows) {
        const so = found.get(row.day)
        found.set(row.day, {
          machines: row.machines + (so?.machines ?? 0),
          income: (row.value * interval) / hour + (so?.income ?? 0),
          net: hasCosts ? (row.left_value * interval) / hour + (so?.net ?? 0) : null,
        })
      }
    }
    return found
  }
}

/** The parameters of machines/income_by_day, except the whole days. */
type IncomeParameters = ReturnType<typeof parametersOf> & { from: number; slot: number }

const parametersOf = (machines: readonly CostedMachine[]) => {
  const rates = machines.map(({ costs, num_gpus }) => hourlyCosts(costs, num_gpus))
  return {
    ids: machines.map(({ id }) => id),
    names: machines.map(({ gpu_name }) => gpu_name),
    rigs: machines.map(({ num_gpus }) => num_gpus),
    parts: machines.map(({ host_share }) => host_share?.share ?? 1),
    kept: rates.map(({ kept }) => kept),
    online: rates.map(({ online }) => online),
    rented: rates.map(({ rented }) => rented),
  }
}

/** Days that are published as they are come from machine_days, the others from observations. */
async function readRows(clickhouse: ClickHouse, parameters: IncomeParameters): Promise<DayRow[]> {
  const { from, slot } = parameters
  const days = await readWholeDays(clickhouse, { from, to: floorTo(day, slot) })
  return selectRows<DayRow>(clickhouse, 'machines/income_by_day', { ...parameters, ...days })
}
