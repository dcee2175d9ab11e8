import { describe, expect, it } from 'vitest'
import type { GpuHistory } from '../../contract/history.ts'
import type { History } from '../../web/api/history.ts'
import type { OwnMachine } from '../../web/api/queries.ts'
import { csvOf, jsonOf } from '../../web/charts/export.ts'
import { standingOf } from '../../web/machines/standing.ts'
import { chartOf, comparisonOf } from '../../web/market/charts.ts'
import { pulseOf } from '../../web/market/pulse.ts'
import { fillTimes } from '../../web/market/times.ts'

const hour = 3600
const options = { unit: 'gpus', side: 'available', score: 'dlperf', zone: 'utc' } as const

/** Hours 0 and 1, a gap, hour 4: rented 6, 8, 0 of 10 GPUs. */
const gpu: GpuHistory = {
  supply_demand: {
    timestamps: [0, hour, 4 * hour],
    bucket_size: 1,
    total: [3, 3, 2],
    available: [1, 1, 2],
    rented_verified: [1, 1, 0],
    avail_verified: [1, 1, 2],
    rented_unverified: [1, 1, 0],
    avail_unverified: [0, 0, 0],
    total_gpus: [10, 10, 10],
    rented_verified_gpus: [4, 5, 0],
    avail_verified_gpus: [4, 2, 10],
    rented_unverified_gpus: [2, 3, 0],
    avail_unverified_gpus: [0, 0, 0],
  },
  pricing: {
    timestamps: [0, hour, 4 * hour],
    rented_p10: [1, 1, null],
    rented_median: [2, 2, null],
    rented_p90: [3, 3, null],
    avail_p10: [1.5, 1.5, 2],
    avail_median: [2.5, 2.5, 4],
    avail_p90: [3.5, 3.5, 5],
  },
  stats: { tflops: 50, dlperf: 100, tflops_per_dollar: 12.5, dlperf_per_dollar: 25 },
}
const history = {
  gpus: { 'RTX "X", 1': gpu },
  question: { gpu_name: 'all' },
  step: hour,
} as unknown as History
const name = 'RTX "X", 1'
const market = { history, options }

describe('a chart', () => {
  it('has a place for each bucket, so that one without a snapshot is a gap', () => {
    const { times, spread } = fillTimes([0, hour, 2 * hour, 5 * hour], hour)
    expect(times).toEqual([0, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour])
    expect(spread([1, null, 3, 4])).toEqual([1, null, 3, null, null, 4])
    expect(fillTimes([], hour).times).toEqual([])
  })

  it('finer than the snapshots are apart has no gaps for it', () => {
    expect(fillTimes([0, 300, 600, 1500], 60).times).toEqual([0, 300, 600, 900, 1200, 1500])
  })

  it('shows prices as they came, and the missing ones as missing', () => {
    const { times, series } = chartOf(market, 'price', name)
    expect(times).toHaveLength(5)
    expect(series.map(({ label }) => label)).toEqual([
      'Rented p10',
      'Rented median',
      'Rented p90',
      'Available p10',
      'Available median',
      'Available p90',
    ])
    expect(series[1]?.values).toEqual([2, 2, null, null, null])
    expect(series[4]?.values).toEqual([2.5, 2.5, null, null, 4])
  })

  it('counts verified and unverified, GPUs or machines', () => {
    const gpus = chartOf(market, 'supply', name)
    expect(gpus.series.map(({ values }) => values)).toEqual([
      [4, 2, null, null, 10],
      [6, 8, null, null, 0],
    ])
    const machines = chartOf({ history, options: { ...options, unit: 'machines' } }, 'supply', name)
    expect(machines.series.map(({ values }) => values)).toEqual([
      [1, 1, null, null, 2],
      [2, 2, null, null, 0],
    ])
    expect(chartOf(market, 'occupancy', name).series[0]?.values).toEqual([0.6, 0.8, null, null, 0])
  })

  it('divides the score by the price of each time', () => {
    const [rented, available] = chartOf(market, 'value', name).series
    expect(rented?.values).toEqual([50, 50, null, null, null])
    expect(available?.values).toEqual([40, 40, null, null, 25])
    expect(
      comparisonOf({ history, options: { ...options, score: 'tflops' } }, 'value', [name]).series[0]
        ?.values[4],
    ).toBe(12.5)
  })

  it('of a GPU that nobody has is empty', () => {
    expect(chartOf(market, 'price', 'Voodoo 2').series).toEqual([])
  })

  it('lays own listings over the price', () => {
    const own = [
      { id: 7, price: 3 },
      { id: 8, price: null },
    ] as OwnMachine[]
    const series = chartOf(market, 'price', name, own).series.slice(6)
    expect(series.map(({ label, values }) => [label, values])).toEqual([
      ['Machine 7, your price now', [3, 3, 3, 3, 3]],
    ])
  })
})

describe('an export', () => {
  const spec = comparisonOf(market, 'price', [name, 'x', 'y', 'z'])

  it('as CSV has the time in UTC, names quoted, gaps empty', () => {
    expect(csvOf(spec)).toBe(
      'time,"RTX ""X"", 1"\r\n1970-01-01T00:00:00.000Z,2.5\r\n1970-01-01T01:00:00.000Z,2.5\r\n' +
        '1970-01-01T02:00:00.000Z,\r\n1970-01-01T03:00:00.000Z,\r\n1970-01-01T04:00:00.000Z,4\r\n',
    )
  })

  it('as JSON has the same points', () => {
    const { unit, points } = JSON.parse(jsonOf(spec))
    expect(unit).toBe('USD per GPU-hour')
    expect(points).toHaveLength(5)
    expect(points[3]).toEqual({ time: 3 * hour, [name]: null })
  })
})

describe('the pulse', () => {
  it('compares the newest bucket with the one a day before, where there is one', () => {
    const days = { ...gpu.pricing, timestamps: [0, hour, 86_400 + hour] }
    const { available, rented, occupancy, gpus } = pulseOf({ ...gpu, pricing: days })
    expect(available.median).toBe(4)
    expect(available.changes.map(({ change }) => change)).toEqual([4 / 2.5 - 1, null, null])
    expect(rented).toMatchObject({
      median: null,
      changes: [{ change: null }, { change: null }, { change: null }],
    })
    expect([occupancy, gpus]).toEqual([0, 10])
  })
})

describe('the standing of a machine', () => {
  const machine = { price: 3, num_gpus: 2 } as OwnMachine
  const busy: GpuHistory = {
    ...gpu,
    supply_demand: { ...gpu.supply_demand, rented_verified_gpus: [4, 5, 5] },
    pricing: { ...gpu.pricing, rented_median: [2, 2, 2] },
  }

  it('is what its price and the median would earn at the occupancy of the market', () => {
    expect(standingOf(machine, busy)).toMatchObject({
      overMedian: 3 / 4 - 1,
      overHigh: 3 / 5 - 1,
      overLow: 3 / 2 - 1,
      occupancy: 0.5,
      medianEarns: 2 * 2 * 0.5 * 720,
      priceEarns: 3 * 2 * 0.5 * 720,
    })
  })

  it('is unknown without a price or a market', () => {
    expect(standingOf({ ...machine, price: null }, busy)).toMatchObject({
      overMedian: null,
      priceEarns: null,
    })
    expect(standingOf(machine, undefined)).toMatchObject({ median: null, occupancy: null, medianEarns: null })
  })
})
