import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chartChoices } from '../../contract/chart-choices.ts'
import type { GpuHistory } from '../../contract/history.ts'
import type { SharedChart } from '../../contract/shares.ts'
import { available, gpuColors, linesOf, rented, unitOf } from '../../src/publish/shares/picture/lines.ts'
import { svgOf, ticksOf } from '../../src/publish/shares/picture/svg.ts'
import type { History } from '../../web/api/history.ts'
import { chartOf, comparisonOf } from '../../web/gpu/charts.ts'

const hour = 3600
const gpuOf = (rented: number, price: number): GpuHistory => ({
  supply_demand: {
    timestamps: [0, hour, 4 * hour],
    bucket_size: 1,
    total: [3, 3, 0],
    available: [1, 1, 0],
    rented_verified: [1, 1, 0],
    avail_verified: [1, 1, 0],
    rented_unverified: [1, 1, 0],
    avail_unverified: [0, 0, 0],
    total_gpus: [10, 10, 0],
    rented_verified_gpus: [rented, 5, 0],
    avail_verified_gpus: [8 - rented, 2, 0],
    rented_unverified_gpus: [2, 3, 0],
    avail_unverified_gpus: [0, 0, 0],
  },
  pricing: {
    timestamps: [0, hour, 4 * hour],
    rented_p10: [1, 1, null],
    rented_median: [price, 2 * price, null],
    rented_p90: [3, 3, null],
    avail_p10: [1.5, 1.5, 2],
    avail_median: [null, price + 1, price + 2],
    avail_p90: [3.5, 3.5, 5],
  },
  stats: { tflops: 50, dlperf: null, tflops_per_dollar: 12.5, dlperf_per_dollar: null },
})
const two = { A100: gpuOf(4, 2), L4: gpuOf(6, 0.4) }
const every = chartChoices.metric.flatMap((metric) =>
  chartChoices.side.flatMap((side) =>
    chartChoices.unit.flatMap((unit) =>
      chartChoices.score.flatMap((score) =>
        chartChoices.axis.map((axis) => ({ metric, side, unit, score, axis, zone: 'utc' as const })),
      ),
    ),
  ),
)

const historyOf = (gpus: Record<string, GpuHistory>) =>
  ({
    gpus,
    start: 0,
    end: 5 * hour,
    step: hour,
    hasRentals: true,
    question: { gpu_name: 'all', verified: 'yes', hosting_type: 'all', num_gpus: 'all' },
  }) as unknown as History

/** The lines of a chart of the page, without its bands and gaps. */
const onThePage = ({ series }: ReturnType<typeof chartOf>) =>
  series
    .filter(({ role }) => role === 'line' || role === 'layer')
    .map(({ group, values }) => [group, [0, 1, 4].map((at) => values[at])])

const inPicture = (chart: Omit<SharedChart, 'query' | 'last'>, gpus: Record<string, GpuHistory>) =>
  linesOf({ ...chart, hasRentals: true }, gpus).map(({ name, values }) => [name, values])

describe('the picture of a shared chart', () => {
  it.each(every)('has the lines of the page: %j', (chart) => {
    const one = { A100: two.A100 }
    const single = chartOf({ history: historyOf(one), options: chart }, chart.metric, 'A100')
    expect(inPicture(chart, one)).toEqual(onThePage(single))
    const compared = comparisonOf({ history: historyOf(two), options: chart }, chart.metric, ['A100', 'L4'])
    expect(inPicture(chart, two)).toEqual(onThePage(compared))
    const kinds = {
      price: 'USD per GPU-hour',
      change: 'since the start',
      share: 'rented share',
      score: 'per USD per hour',
      gpus: 'GPUs',
      machines: 'machines',
    }
    expect([kinds[unitOf(chart, true)], kinds[unitOf(chart, false)]]).toEqual([single.unit, compared.unit])
  })

  it.each([
    [0, 1],
    [0.303, 0.4451],
    [-0.2, 1.7],
    [1e-6, 2e-6],
    [5, 5],
    [0, 0],
    [0, 1e6],
  ])('has a few round ticks around %d to %d', (low, high) => {
    const ticks = ticksOf(low, high)
    expect(ticks.length).toBeGreaterThanOrEqual(2)
    expect(ticks.length).toBeLessThanOrEqual(7)
    expect(ticks[0]).toBeLessThanOrEqual(low)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(high)
  })

  it('is plain markup whatever a name holds, and has gaps where there are no figures', () => {
    const chart = { metric: 'price', side: 'available', unit: 'gpus', score: 'tflops', axis: 'usd' } as const
    const svg = svgOf({
      title: `Price of <b> & "c" ${'x'.repeat(300)}`,
      subject: 'all machines',
      source: 'Source: rackrate',
      unit: 'price',
      lines: linesOf(chart, { '<i>': two.A100 }),
      from: 0,
      to: 5 * hour,
    })
    expect(svg).toContain('Price of &lt;b&gt; &amp; &quot;c&quot; x')
    expect(svg).not.toMatch(/<[bi]>|NaN|Infinity/)
    const paths = [...svg.matchAll(/<path d="(M[^"]*L[^"]*)"/g)].map(
      ([, path = '']) => path.match(/M/g)?.length,
    )
    expect(paths).toEqual([1, 2])
    expect(svgOf({ title: '', subject: '', source: '', unit: 'price', lines: [], from: 0, to: 0 })).toContain(
      'No data',
    )
  })
})

it('a picture has the colours that charts of the page have on a light background', () => {
  const sheet = readFileSync(new URL('../../web/tokens.css', import.meta.url), 'utf8')
  const light = sheet.slice(0, sheet.indexOf(':root[data-theme="dark"]'))
  const colors = [...light.matchAll(/--chart-\d: (#\w+);/g)].map(([, color]) => color)
  expect(gpuColors).toEqual(colors)
  expect([rented, available]).toEqual(colors.slice(0, 2))
})
