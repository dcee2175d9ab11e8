import { expect, it } from 'vitest'
import type { GpuForecast } from '../../contract/forecast.ts'
import { awaitedHistory } from '../../web/api/history.ts'
import { fanChart, measures } from '../../web/gpu/forecast-chart.ts'
import { enoughWords, outlookWords } from '../../web/gpu/forecast-words.ts'

const record = { forecasts: 0, coverage: null, error_ratio: null }
const figure = (hours: number, value: number | null, half: number): GpuForecast['occupancy'][number] => ({
  hours,
  at: 1_750_000_000 + hours * 3600,
  now: 2,
  value,
  low: value === null ? null : value - half,
  high: value === null ? null : value + half,
  record,
  kept: record,
})
const figures = [figure(24, 2, 0.1), figure(168, 2, 0.3)]

const [measure] = measures
const chart = (of: GpuForecast['occupancy'], places: number[]) => {
  const history = awaitedHistory(
    { gpu_name: 'L4', start: 0, verified: 'all', hosting_type: 'all', num_gpus: 'all', gpu_memory: 'all' },
    ['L4'],
  )
  const { L4: gpu } = history.gpus
  if (!gpu || !measure) throw new Error('the market has no L4')
  gpu.pricing = { ...gpu.pricing, timestamps: places, rented_median: places.map(() => 2) }
  return fanChart(measure, 'L4', { history, figures: of, zone: 'utc', simulated: false })
}

it('the fan begins where the past ends, and reaches the bands of the forecast at their times', () => {
  const { places, series, marks } = chart(figures, [1_749_996_400, 1_750_000_000])
  const valuesAt = (hours: number) => {
    const index = places.indexOf(1_750_000_000 + hours * 3600)
    return series.map(({ values }) => values[index])
  }
  const near = (value: number) => expect.closeTo(value)
  expect(valuesAt(0)).toEqual([2, 2, 2, 2])
  expect(valuesAt(24)).toEqual([null, near(1.9), near(2), near(2.1)])
  expect(valuesAt(168)).toEqual([null, near(1.7), near(2), near(2.3)])
  expect(valuesAt(6)[3]).toBeCloseTo(2 + 0.1 * Math.sqrt(6 / 24))
  expect(marks).toMatchObject([{ label: 'now', place: 1_750_000_000 }])
  expect(series.map(({ values }) => values.length)).toEqual(series.map(() => places.length))
})

it('a figure without a forecast has its past only', () => {
  const { places, marks } = chart([figure(24, null, 0), figure(168, null, 0)], [1_750_000_000])
  expect([places.length, marks]).toEqual([1, []])
  expect(chart(figures, []).places).toEqual([])
})

it('a forecast is a sentence with its range, and a chance has words', () => {
  const forecast = { rented_median: figures, avail_median: figures, occupancy: figures }
  const chances = (probability: number) =>
    figures.map((one) => ({
      ...one,
      probability,
      record: { ...record, probability: null, met: null },
      kept: { ...record, probability: null, met: null },
    }))
  const available = { gpus: 1, price: 2.45, figures: chances(0.999) }
  expect(outlookWords('H100 SXM', { ...forecast, available })).toBe(
    'Tomorrow an H100 SXM is probably rented for $2.00: in 8 of 10 cases $1.90 to $2.10, in 7 days $1.70 to $2.30.',
  )
  expect(enoughWords(available)).toBe(
    '1 GPU at $2.45 or less: tomorrow practically certain (99.9\u00a0%), in 7 days practically certain (99.9\u00a0%).',
  )
  expect(enoughWords({ ...available, gpus: 8, figures: chances(0.5) })).toContain('8 GPUs at $2.45')
})
