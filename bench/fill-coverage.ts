import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { demandAt, eagerness } from '../simulate/market.ts'
import { type PositionRow, sumPositions } from '../src/market/fill/sum-positions.ts'

interface Range {
  from: number
  to: number
}

/** Exposure of one cell and hour: Σ over machines and slots of the simulator's expected rentals, without the demand of the hour. */
interface Offered {
  gpu_name: string
  num_gpus: number
  verified: boolean
  position: number
  hour: number
  appeal: number
  gpus: number
}

/** Mean number of GPUs that the simulator rents together when `free` are free (startRental). */
function wantedOf(free: number): number {
  const powers = Math.log2(free + 1)
  const parts = Array.from(
    { length: Math.ceil(powers) },
    (_, power) => Math.min(1, powers - power) * 2 ** power,
  )
  return 0.6 * free + (0.4 * parts.reduce((sum, part) => sum + part, 0)) / powers
}

/** Prints the share of the fill endpoint's 95 % intervals that contain the simulator's rental rate, by GPU name, rig size and position. */
export async function measureFills(clickhouse: ClickHouse, range: Range, interval: number): Promise<void> {
  const offered = await readOffered(clickhouse, range)
  const truths = new Map<string, { rentals: number; hours: number }>()
  const keyOf = (of: Omit<Offered, 'hour' | 'appeal' | 'gpus'>) =>
    [of.gpu_name, of.num_gpus, of.verified, of.position].join()
  for (const row of offered) {
    const known = truths.get(keyOf(row)) ?? { rentals: 0, hours: 0 }
    const trust = row.verified ? eagerness.verified : eagerness.other
    known.rentals += (row.appeal * demandAt(row.hour) * trust * eagerness.cheapest * interval) / 86_400
    known.hours += (row.gpus * interval) / 3600
    truths.set(keyOf(row), known)
  }
  const cells: { rig: number; holds: boolean }[] = []
  const names = [...new Set(offered.map(({ gpu_name }) => gpu_name))]
  for (const num_gpus of new Set(offered.map((row) => row.num_gpus)))
    for (const verified of [true, false]) {
      const rows = await selectRows<PositionRow & { gpu_name: string }>(clickhouse, 'fill/positions', {
        names,
        ...range,
        verified: verified ? 'yes' : 'no',
        hosting_type: 'all',
        num_gpus,
      })
      for (const gpu_name of names)
        for (const { position, fill_rate } of sumPositions(rows.filter((row) => row.gpu_name === gpu_name))
          .positions) {
          const truth = truths.get(keyOf({ gpu_name, num_gpus, verified, position }))
          if (!truth || fill_rate.low === null || fill_rate.high === null) continue
          const rate = truth.rentals / truth.hours
          cells.push({ rig: num_gpus, holds: fill_rate.low <= rate && rate <= fill_rate.high })
        }
    }
  for (const [name, some] of [
    ['all', cells],
    ['rigs of 1', cells.filter(({ rig }) => rig === 1)],
    ['rigs of 8', cells.filter(({ rig }) => rig === 8)],
  ] as const) {
    const share = (100 * some.filter(({ holds }) => holds).length) / some.length
    console.log(
      `fill rates, ${name} (${some.length} cells): ${share.toFixed(1)} % of the 95 % intervals hold the true rate`,
    )
  }
}

const readOffered = (clickhouse: ClickHouse, { from, to }: Range) =>
  selectRows<Offered>(
    clickhouse,
    `SELECT gpu_name, num_gpus, verified, least(9, intDiv(10 * cheaper, all_gpus)) AS position,
       toUnixTimestamp(toStartOfHour(slot)) AS hour,
       sum({wanted:Array(Float64)}[offered.gpus] * exp({perPosition:Float64} * cheaper / all_gpus)) AS appeal, sum(offered.gpus) AS gpus
     FROM (
       SELECT slot, gpu_name, num_gpus, verified, seen.gpus AS gpus,
         sum(seen.gpus) OVER (PARTITION BY slot, gpu_name) AS all_gpus,
         sum(seen.gpus) OVER (
           PARTITION BY slot, gpu_name ORDER BY reinterpretAsInt64(price)
           RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ) AS cheaper
       FROM observations AS seen
       WHERE NOT rented AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
     ) AS offered
     GROUP BY gpu_name, num_gpus, verified, position, hour`,
    {
      from,
      to,
      perPosition: eagerness.perPosition,
      wanted: Array.from({ length: 64 }, (_, index) => wantedOf(index + 1)),
    },
  )
