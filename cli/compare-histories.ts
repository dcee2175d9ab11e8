import type { z } from 'zod'
import type { GpuHistory, historyAnswer } from '../contract/history.ts'
import { priceFigures } from '../contract/history-figures.ts'

type Answer = z.infer<typeof historyAnswer>

const counts = [
  ...(['total', 'available', 'total_gpus', 'rented_verified_gpus', 'avail_verified_gpus'] as const),
  ...(['rented_unverified_gpus', 'avail_unverified_gpus'] as const),
]
type Figure = (typeof counts)[number] | (typeof priceFigures)[number]

/** The difference of a figure of one GPU type between two servers. */
export interface Difference {
  gpu_name: string
  filter: string
  figure: Figure
  /** Buckets with a value on both sides. */
  buckets: number
  /** Buckets with the same value on both sides. */
  equal: number
  /** Median and largest difference, as shares of the other server's value; null: no bucket has both values. */
  typical: number | null
  largest: number | null
  /** Median of the signed difference: above 0 the value here is higher. */
  bias: number | null
  /** Buckets with a value on one side only. */
  only_here: number
  only_there: number
}

type Values = Map<number, number>

function valuesOf(gpu: GpuHistory | undefined, figure: Figure): Values {
  if (!gpu) return new Map()
  const { timestamps } = gpu.pricing
  const values: (number | null)[] = { ...gpu.supply_demand, ...gpu.pricing }[figure]
  return new Map(timestamps.flatMap((time, index) => (values[index] == null ? [] : [[time, values[index]]])))
}

const middle = (values: readonly number[]): number | null =>
  values.length === 0
    ? null
    : ([...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null)

// Prices are decimals of at most nine places, so smaller differences are of floats.
const same = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9

const shareOf = (here: number, there: number): number =>
  same(here, there) ? 0 : (here - there) / Math.max(Math.abs(there), 1e-9)

/** Compares every figure of some GPU types in two answers to the same request. */
export function compareHistories(
  names: readonly string[],
  filter: string,
  { here, there }: { here: Answer; there: Answer },
): Difference[] {
  return names.flatMap((gpu_name) =>
    [...counts, ...priceFigures].map((figure) => {
      const [own, other] = [valuesOf(here.gpus[gpu_name], figure), valuesOf(there.gpus[gpu_name], figure)]
      const both = [...own].flatMap(([time, value]) => {
        const there = other.get(time)
        return there === undefined ? [] : [shareOf(value, there)]
      })
      const sizes = both.map(Math.abs)
      return {
        gpu_name,
        filter,
        figure,
        buckets: both.length,
        equal: both.filter((share) => share === 0).length,
        typical: middle(sizes),
        largest: sizes.length === 0 ? null : Math.max(...sizes),
        bias: middle(both),
        only_here: own.size - both.length,
        only_there: other.size - both.length,
      }
    }),
  )
}

/** True if a figure agrees: its largest difference is at most `within`, and no bucket has a value on one side only. */
export const agrees = ({ largest, only_here, only_there }: Difference, within: number): boolean =>
  (largest ?? 0) <= within && only_here + only_there === 0

/** Hints about definitions that may explain the differences. The figures alone do not prove a cause. */
export function explain(differences: readonly Difference[], within: number): string[] {
  const differs = differences.filter((one) => !agrees(one, within))
  const some = (test: (one: Difference) => boolean) => differs.some(test)
  const isPrice = ({ figure }: Difference) => priceFigures.some((name) => name === figure)
  const isRented = ({ figure }: Difference) => figure.startsWith('rented_')
  const hints: [boolean, string][] = [
    [
      some(({ only_here, only_there }) => only_here + only_there > 0),
      'Buckets on one side only: this server leaves out buckets without a snapshot. The servers may have started at different times, have gaps, or label buckets differently.',
    ],
    [
      some((one) => !isPrice(one) && one.figure.endsWith('_gpus')) &&
        !some(({ figure }) => figure === 'total'),
      'GPUs differ but machines do not: this server counts a partly rented machine as both rented and available, with the GPUs of each.',
    ],
    [
      some((one) => !isPrice(one)),
      'This server counts the last snapshot of each bucket. Another snapshot of the bucket, or a mean, differs slightly and without bias.',
    ],
    [
      some(({ filter }) => /verified=(yes|no)/.test(filter)) &&
        !some(({ filter }) => /verified=all/.test(filter)),
      'Only filters by verification differ: this server counts every machine that is not verified as unverified, also one that lost its verification.',
    ],
    [
      some((one) => isPrice(one) && !isRented(one)) && !some((one) => !isPrice(one)),
      'Counts agree but prices do not: this server takes nearest-rank percentiles over all snapshots of a bucket, weighted by GPUs. Interpolated or unweighted percentiles differ most where there are few GPUs.',
    ],
    [
      some((one) => isPrice(one) && isRented(one)) && !some((one) => isPrice(one) && !isRented(one)),
      'Only rented prices differ: contract prices are not visible from outside, so a market recorded from a source has the listed price of the machine instead.',
    ],
  ]
  return hints.filter(([applies]) => applies).map(([, text]) => text)
}
