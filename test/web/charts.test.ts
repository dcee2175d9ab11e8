import { describe, expect, it } from 'vitest'
import { colorsOf } from '../../contract/gpu-colors.ts'
import type { GpuHistory } from '../../contract/history.ts'
import type { History } from '../../web/api/history.ts'
import type { OwnMachine } from '../../web/api/queries.ts'
import { csvOf, jsonOf } from '../../web/charts/export.ts'
import { figuresOf } from '../../web/charts/spec.ts'
import { csvRows } from '../../web/files.ts'
import { bookOf, emptyBook, pricesShown } from '../../web/gpu/book.ts'
import { chartOf, comparisonOf } from '../../web/gpu/charts.ts'
import { durationCurveOf } from '../../web/gpu/duration-curve.ts'
import { heatMapOf } from '../../web/gpu/heat-map.ts'
import { joinPast } from '../../web/gpu/join-past.ts'
import { ownMarks, ownPrices } from '../../web/gpu/own-prices.ts'
import { pulseOf } from '../../web/gpu/pulse.ts'
import { fillTimes } from '../../web/gpu/times.ts'
import { answerOf } from '../../web/gpu/wanted-answer.ts'
import { columnsOf, rowsShown, withColumn } from '../../web/market/columns.ts'

const hour = 3600
const options = { unit: 'gpus', side: 'available', score: 'dlperf', zone: 'utc', axis: 'usd' } as const

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
  question: { gpu_name: 'all', verified: 'yes', hosting_type: 'community', num_gpus: '8' },
  start: 0,
  end: 5 * hour,
  step: hour,
  hasRentals: true,
} as unknown as History
const name = 'RTX "X", 1'
const market = { history, options }

describe('the official past', () => {
  const official = (timestamps: number[]) => {
    const at = <Value>(value: Value) => timestamps.map(() => value)
    const counts = Object.entries(gpu.supply_demand).map(([figure, values]) => [
      figure,
      Array.isArray(values) ? at(7) : 1,
    ])
    const prices = Object.keys(gpu.pricing).map((figure) => [figure, at(9)])
    return {
      supply_demand: { ...(Object.fromEntries(counts) as GpuHistory['supply_demand']), timestamps },
      pricing: { ...(Object.fromEntries(prices) as GpuHistory['pricing']), timestamps },
    }
  }
  const answer = (before: number | null) =>
    ({
      success: true,
      needs_machine: false,
      step: hour,
      gpus: { [name]: official([-2 * hour, -hour, 0, hour]) },
      before,
    }) as const

  it('stands before the first own bucket only, with a mark at its end', () => {
    const joined = joinPast(history, answer(hour / 2))
    expect(joined.gpus[name]?.pricing.timestamps).toEqual([-2 * hour, -hour, 0, hour, 4 * hour])
    expect(joined.gpus[name]?.pricing.rented_median).toEqual([9, 9, 2, 2, null])
    expect(joined.gpus[name]?.stats).toEqual(gpu.stats)
    const { marks, places } = chartOf({ ...market, history: joined }, 'price', name)
    expect(places[0]).toBe(-2 * hour)
    expect(marks).toEqual([{ label: 'official, before 1 Jan 1970', place: hour / 2, color: 'available' }])
  })

  it('adds nothing, and no mark, where own observations reach further back', () => {
    expect(joinPast(history, answer(-3 * hour))).toBe(history)
    expect(chartOf(market, 'price', name).marks).toBeUndefined()
  })
})

/** The prices of own machines, as the page lays them over a chart. */
const laid = (own: readonly OwnMachine[]) => (places: readonly number[]) => ownPrices(own, places)

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
    const { places, series, subject } = chartOf(market, 'price', name)
    expect(places).toHaveLength(5)
    expect(subject?.()).toMatch(/^verified, 8×, community machines; 1 Jan 1970, 00:00\s*–\s*05:00 UTC$/)
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
      [6, 8, null, null, 0],
      [4, 2, null, null, 10],
    ])
    const machines = chartOf({ history, options: { ...options, unit: 'machines' } }, 'supply', name)
    expect(machines.series.map(({ values }) => values)).toEqual([
      [2, 2, null, null, 0],
      [1, 1, null, null, 2],
    ])
    expect(chartOf(market, 'occupancy', name).series[0]?.values).toEqual([0.6, 0.8, null, null, 0])
  })

  it('draws own prices as renters paid them, as far back as they are known', () => {
    const price_history = { timestamps: [hour + 60, 3 * hour], price: [1, 1.5] }
    const own = [
      { id: 7, renter_price: 3.5, host_share: { share: 0.5 }, figures: { price_history } },
      { id: 8, renter_price: null },
    ] as OwnMachine[]
    const lines = chartOf(market, 'price', name, laid(own)).series.slice(6)
    expect(lines.map(({ label, values }) => [label, values])).toEqual([
      ['Machine 7, your price', [null, 2, 2, 3, 3.5]],
    ])
    const unknown = [{ ...own[0], figures: null }] as OwnMachine[]
    expect(chartOf(market, 'price', name, laid(unknown)).series.at(-1)?.values).toEqual([
      null,
      null,
      null,
      null,
      3.5,
    ])
  })

  it('draws of many own prices the lowest, the median and the highest', () => {
    const own = [1, 2, 2, 3, 4, 9].map((price, id) => ({
      id,
      renter_price: price,
      gpu_name: name,
      figures: { price_history: { timestamps: [hour], price: [price / 2] } },
    })) as OwnMachine[]
    const lines = (count: number) =>
      chartOf(market, 'price', name, laid(own.slice(0, count)))
        .series.slice(6)
        .map(({ label, values }) => [label, values])
    expect(lines(6)).toEqual([
      ['Your lowest price', [null, 0.5, 0.5, 0.5, 1]],
      ['Your median price', [null, 1, 1, 1, 2]],
      ['Your highest price', [null, 4.5, 4.5, 4.5, 9]],
    ])
    expect(lines(5)).toHaveLength(5)
    const marks = (count: number) => ownMarks(own.slice(0, count)).map(({ label, place }) => [label, place])
    expect(marks(3)).toEqual([
      ['Machine 0', 1],
      ['2 machines', 2],
    ])
    expect(marks(6)).toHaveLength(5)
    expect(
      ownMarks([...own, { ...own[0], renter_price: 5 } as OwnMachine]).map(({ place }) => place),
    ).toEqual([1, 3, 9])
  })

  it('lays the period before over this one', () => {
    const shift = 5 * hour
    const before = {
      ...history,
      start: -shift,
      end: 0,
      gpus: {
        [name]: { ...gpu, pricing: { ...gpu.pricing, timestamps: [-shift, hour - shift, 4 * hour - shift] } },
      },
    } as History
    const lines = chartOf({ ...market, before }, 'price', name).series.filter(({ dashed }) => dashed)
    expect(lines.map(({ label, values }) => [label, values])).toEqual([
      ['Rented median (period before)', [2, 2, null, null, null]],
      ['Available median (period before)', [2.5, 2.5, null, null, 4]],
    ])
    const week = { ...before, start: -shift - hour, end: -hour }
    const ofWeek = chartOf({ ...market, before: week }, 'price', name).series.find(({ dashed }) => dashed)
    expect(ofWeek?.group).toBe('Rented (week before)')
    expect(chartOf({ ...market, before: { ...before, step: 60 } }, 'price', name).series).toHaveLength(6)
    expect(chartOf({ ...market, before }, 'supply', name).series).toHaveLength(2)
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

  it('compares in per cent since the first price', () => {
    const spec = comparisonOf({ history, options: { ...options, axis: 'percent' } }, 'price', [name])
    expect(spec.unit).toBe('since the start')
    expect(spec.series.map(({ values }) => values)).toEqual([[0, 0, null, null, 4 / 2.5 - 1]])
  })

  it('draws no rented GPUs where the source does not report them, and gives the reason', () => {
    const unknown = { ...market, history: { ...history, hasRentals: false } }
    const supply = chartOf(unknown, 'supply', name)
    expect(supply.series.map(({ label, values }) => [label, values[0]])).toEqual([
      ['Rented', null],
      ['Available', 10],
    ])
    const occupancy = chartOf(unknown, 'occupancy', name)
    expect(occupancy.series[0]?.values.every((value) => value === null)).toBe(true)
    expect(occupancy.note).toBe('This source does not say which GPUs are rented.')
    expect(pulseOf(gpu, false).occupancy).toBeNull()
  })

  it('gives each GPU a colour of its own, the same whatever stands beside it', () => {
    const eight = [...'ABCDEFGH'].map((letter) => `RTX ${letter}`)
    expect(new Set(colorsOf(eight).values()).size).toBe(8)
    for (const one of eight) expect(colorsOf([one, 'H100']).get(one)).toBe(colorsOf([one]).get(one))
  })

  it('is empty for an unknown GPU', () => {
    expect(chartOf(market, 'price', 'Voodoo 2').series).toEqual([])
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

  it('as CSV has no text that a spreadsheet would compute', () => {
    const texts = ['=1+1', '+SUM(A1)', '-x', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("x","y")']
    const kept = ['RTX 4090', '-5', '+1.5e3', "'=1", 'a=1', '']
    expect(csvRows([[...texts, ...kept, -5, null]])).toBe(
      `'=1+1,'+SUM(A1),'-x,'@SUM(A1),'\t=1,"'\r=1","'=HYPERLINK(""x"",""y"")",RTX 4090,-5,+1.5e3,'=1,a=1,,-5,\r\n`,
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
  it('compares the newest bucket with the one a week before, where there is one', () => {
    const days = { ...gpu.pricing, timestamps: [0, hour, 7 * 86_400 + hour] }
    const { available, rented, occupancy, gpus } = pulseOf({ ...gpu, pricing: days }, true)
    expect(rented).toEqual({ median: null, week: null })
    expect([available, occupancy, gpus]).toEqual([4, 0, 10])
    const rentedToo = { ...days, rented_median: days.avail_median }
    const counts = { ...gpu.supply_demand, rented_verified: [9, 4, 4], rented_unverified: [0, 1, 1] }
    const trend = pulseOf({ ...gpu, supply_demand: counts, pricing: rentedToo }, true).rented
    expect(trend).toEqual({ median: 4, week: 4 / 2.5 - 1 })
  })

  it.each([
    ['now', [9, 9, 3]],
    ['a week before', [9, 3, 9]],
  ])('compares nothing where fewer than five machines were rented %s', (_, rented_verified) => {
    const days = { ...gpu.pricing, timestamps: [0, hour, 7 * 86_400 + hour] }
    const pricing = { ...days, rented_median: days.avail_median }
    const counts = { ...gpu.supply_demand, rented_verified, rented_unverified: [0, 1, 1] }
    expect(pulseOf({ ...gpu, supply_demand: counts, pricing }, true).rented).toEqual({
      median: 4,
      week: null,
    })
  })
})

const about = { zone: 'utc', simulated: true, subject: () => '' } as const

describe('the book', () => {
  const rented = { price: [1, 2], gpus: [1, 95], unpriced: 0, reason: null }
  const depth = { price: [1, 9], available: [3, 1], rented, cheapest: null }
  const own = [{ id: 7, renter_price: 2.5 }] as OwnMachine[]

  it('adds up GPUs by price, and marks the own machines', () => {
    const { places, series, marks, name: file } = bookOf('H100 SXM', depth, own, about)
    expect(places).toEqual([1, 2, 9])
    expect(series.map(({ label, values }) => [label, values])).toEqual([
      ['Rented', [1, 96, 96]],
      ['Available', [3, 3, 4]],
    ])
    expect(marks).toEqual([{ label: 'Machine 7', place: 2.5, color: 'own' }])
    expect(file).toBe('rackrate-simulated-book-of-h100-sxm')
  })

  it('counts rented GPUs whose prices are not shown in its note', () => {
    const hidden = { price: [], gpus: [], unpriced: 7, reason: 'few_hosts' as const }
    const { series, note } = bookOf('L4', { ...depth, rented: hidden }, own, about)
    expect(series[0]?.values).toEqual([null, null])
    expect(note).toContain('Of 7 rented GPUs no price is shown')
  })

  it('shows the prices of 98 % of the GPUs, and the own ones', () => {
    expect(pricesShown(depth, []).to).toBeLessThan(2.1)
    expect(pricesShown(depth, own).to).toBeGreaterThan(2.5)
    expect(pricesShown(emptyBook, []).to).toBeGreaterThan(0)
  })

  it('shows if a number of GPUs is available at a price', () => {
    const cheapest = { average_price: 1.5, marginal_price: 2 }
    const hours = { hours: 10, share: 0.579, duration: [] }
    expect(answerOf({ need: 3, most: '2.5', together: 'no' }, { ...depth, cheapest }, hours)).toBe(
      'Yes: 3 available now at $2.50 or less. The cheapest 3 cost $1.50 each on average, and $2.00 at most. This many were available in 57.9\u00a0% of the hours shown.',
    )
    expect(answerOf({ need: 5, most: '', together: 'yes' }, depth, hours)).toBe(
      'No: 4 available now on machines with 5 or more free.',
    )
    expect(answerOf({ need: 3, most: '1', together: 'no' }, depth, undefined)).toBe(
      'Yes: 3 available now at $1.00 or less.',
    )
  })
})

describe('the heat map', () => {
  it('has mean GPUs in its cells, and names the fullest', () => {
    const two = (one: number[], other: number[]) => [one, other]
    const prices = {
      timestamps: [0, hour],
      slots: [4, 2],
      edges: [1, 2, 3],
      available: two([8, 2], [4, 6]),
      rented: [
        [null, 0],
        [null, 0],
      ],
      rented_unpriced: [12, 0],
      reason: ['few_hosts' as const, null],
    }
    const spec = heatMapOf('L4', 'available', prices, about)
    expect(spec.series.map(({ low, high, values }) => [low, high, values])).toEqual([
      [1, 2, [2, 1]],
      [2, 3, [1, 3]],
    ])
    expect(figuresOf(spec, 'Available', 0)).toBe('most: 2 GPUs at $1.00 to $2.00')
    expect(figuresOf(heatMapOf('L4', 'rented', prices, about), 'Rented', 0)).toBe('–')
    expect(spec.note).not.toContain('no price')
    expect(heatMapOf('L4', 'rented', prices, about).note).toContain('Of 2 rented GPUs, on average, no price')
    expect(csvOf(spec).split('\r\n')[0]).toBe('time,GPUs at $1.00 to $2.00,GPUs at $2.00 to $3.00')
  })
})

describe('the price duration curve', () => {
  it('has a price for each hundredth of the hours, and none where there never was one', () => {
    const curve = (duration: (number | null)[]) =>
      durationCurveOf('L4', 8, { hours: 3, share: null, duration }, about)
    expect(curve([1, 2, null]).places).toEqual([0.01, 0.02, 0.03])
    expect(curve([1, 2, null]).series[0]?.values).toEqual([1, 2, null])
    expect(curve([null]).places).toEqual([])
  })
})

describe('the table of the market', () => {
  const row = (gpu_name: string, rented_median: number | null) =>
    ({ gpu: { gpu_name, rented_median }, week: [], hours: null }) as unknown as Parameters<
      typeof rowsShown
    >[0][number]
  const rows = [row('RTX 4090', 0.4), row('H100 SXM', null), row('RTX 3090', 0.2)]
  const namesOf = (find: string, sort: string) => rowsShown(rows, find, sort).map(({ gpu }) => gpu.gpu_name)

  it('is sorted by any column, with what has no figure at the end, and searched', () => {
    expect(namesOf('', '-rented')).toEqual(['RTX 4090', 'RTX 3090', 'H100 SXM'])
    expect(namesOf('', 'rented')).toEqual(['RTX 3090', 'RTX 4090', 'H100 SXM'])
    expect(namesOf('', 'name')).toEqual(['H100 SXM', 'RTX 3090', 'RTX 4090'])
    expect(namesOf(' rtx ', '-name')).toEqual(['RTX 4090', 'RTX 3090'])
    expect(namesOf('', 'nonsense')).toEqual(['RTX 4090', 'H100 SXM', 'RTX 3090'])
  })

  it('has the columns that are chosen, in their order, and else the usual ones', () => {
    const names = (chosen: string[], hasClouds = false) =>
      columnsOf(chosen, hasClouds).map(({ name }) => name)
    expect(names([])).toContain('cheapest')
    expect(names([])).not.toContain('cloud')
    expect(names([], true)).toContain('cloud')
    expect(names(['gpus', 'p10', 'nonsense'])).toEqual(['name', 'p10', 'gpus'])
    expect(withColumn(columnsOf(['gpus'], false), 'p10')).toEqual(['p10', 'gpus'])
    expect(withColumn(columnsOf(['gpus', 'p10'], false), 'gpus')).toEqual(['p10'])
  })
})
