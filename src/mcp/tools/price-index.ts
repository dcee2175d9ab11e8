import { z } from 'zod'
import type { indexAnswer, PriceIndex } from '../../../contract/price-index.ts'
import { leftOut, listPoints, summary } from '../series.ts'
import { gpuNames, isoOf, pathOf, range, type Tool } from '../tool.ts'

const input = z.object({
  gpu_name: gpuNames(10).optional().describe('Default: the whole market'),
  start: range.start.describe('Start of the range. Default: 90 days before its end'),
  end: range.end,
})

export const priceIndex: Tool<typeof input> = {
  name: 'price_index',
  title: 'GPU price index',
  description:
    'Daily price changes of machines compared with themselves. Unlike medians, they are not affected by machines that come and go.',
  input,
  path: ({ gpu_name, start, end }) =>
    pathOf('/api/v0/metrics/gpu/index', {
      ...(gpu_name ? { gpu_name } : { market: 'true' }),
      start,
      end,
    }),
  summarize: ({ market, gpus }: z.output<typeof indexAnswer>) => {
    const types = Object.keys(gpus).length || 1
    const told = Object.entries(gpus).map(([name, index]) => [name, summarizeIndex(index, types)] as const)
    const ofMarket = market && summarizeIndex(market, types)
    const points = [...told.map(([, index]) => index), ...(ofMarket ? [ofMarket] : [])]
    return {
      figures: ['index_level', 'matched_machines'],
      data: { market: ofMarket, gpus: Object.fromEntries(told) },
      note: leftOut(points.every(({ points }) => points)),
    }
  },
}

const summarizeIndex = ({ timestamps, level, base, machines }: PriceIndex, types: number) => ({
  /** Levels with another base cannot be compared. */
  bases: [...new Set(base.filter((day) => day !== null))].map(isoOf),
  index_level: summary(timestamps, level),
  points: listPoints(timestamps, { index_level: level, matched_machines: machines }, types),
})
