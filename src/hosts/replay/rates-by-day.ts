import { day } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { type MachineClass, ofProduct } from '../../../contract/market-filter.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { isOfClass } from '../machines/compared.ts'
import { type DayFlow, flowsOfDays } from '../machines/flow-days.ts'
import { type MarketRates, rateMarket } from '../machines/market-rates.ts'
import { rateName, ratesOf } from '../machines/pooled-rates.ts'

/** Days that the rates cover, as for own machines. */
const remembered = 7

export type RatesThen = ReturnType<typeof ratesOf>
export type RatesByDay = ReturnType<typeof openRatesByDay>

/** Unix seconds; `to` is exclusive. */
interface Range {
  from: number
  to: number
}

/** Reads the rates of a machine as they were known at the start of each day, from the seven days before it. */
export function openRatesByDay(clickhouse: ClickHouse) {
  const read = (name: string, range: Range) =>
    selectRows<DayFlow>(clickhouse, 'replay/flow_days', { name, ...range })
  // Flows of the whole market are the same for all hosts. Corrections to the past appear within an hour.
  const markets = openReadCache<string, Map<number, MarketRates>, Range>({
    max: 4,
    fetchMethod: async (_key, _stale, { context }) => {
      const flows = await read('', context)
      return new Map(daysOf(context).map((at) => [at, rateMarket(flowsBefore(flows, at))]))
    },
  })

  return async (machine: MachineClass & { gpu_name: string }, { from, to }: Range) => {
    const range = {
      from: Math.max(0, floorTo(day, from) - remembered * day),
      to: Math.max(0, floorTo(day, to - 1)),
    }
    const [market, ofName] = await Promise.all([
      markets.forceFetch(`${from} ${to}`, { context: range }),
      read(machine.gpu_name, range),
    ])
    const flows = ofProduct(machine, ofName)
    const rates = new Map(
      daysOf(range).map((at) => {
        const known = flowsBefore(flows, at)
        const name = rateName(known, market.get(at) ?? rateMarket([]), true)
        return [
          at,
          ratesOf(
            machine,
            known.filter((row) => isOfClass(machine, row)),
            name,
          ),
        ]
      }),
    )
    return (time: number): RatesThen | undefined => rates.get(floorTo(day, time))
  }
}

/** The days whose rates are needed. */
const daysOf = ({ from, to }: Range): number[] =>
  Array.from(
    { length: Math.max(0, (to - from) / day - remembered + 1) },
    (_, index) => from + (remembered + index) * day,
  )

const flowsBefore = (flows: readonly DayFlow[], at: number) =>
  flowsOfDays(flows.filter((row) => row.day < at && row.day >= at - remembered * day))
