import { z } from 'zod'
import { hour } from '../contract/durations.ts'
import { gpuName, longestName } from '../contract/gpu-names.ts'
import { countFigures, priceFigures } from '../contract/history-figures.ts'
import { recordOf } from '../contract/records.ts'
import { baseOf } from './host-api.ts'
import { callHost, HostApiError, type HostApiOptions } from './host-call.ts'

/** The choices of verification that are read, each with prices of its own. */
export const verifications = ['all', 'yes', 'no'] as const
export type Verification = (typeof verifications)[number]

/** A row of `official` without the time at which it was read. */
export type OfficialRow = { bucket: number; step: number; gpu_name: string; verified: Verification } & Record<
  (typeof countFigures)[number],
  number
> &
  Record<(typeof priceFigures)[number], number | null>

/** A range of official history. Unix seconds, `to` exclusive. */
export interface OfficialRange {
  verified: Verification
  from: number
  to: number
}

export interface OfficialAnswer {
  rows: OfficialRow[]
  /** GPU names whose figures contradict themselves, with the reason. */
  leftOut: Record<string, string>
}

/** Seconds of a bucket. A server with too many buckets for an answer chooses longer ones. */
export const officialStep = hour
/** USD per GPU-hour and counts above which a figure is no figure of a market. */
const greatestPrice = 100_000
const greatestCount = 10_000_000
/** The largest share of GPU names that may contradict themselves. */
const mostLeftOut = 1 / 4

const times = z.array(z.int().nonnegative())
const counts = z.array(z.int().nonnegative().max(greatestCount))
const prices = z.array(z.number().nonnegative().max(greatestPrice).nullable())
const record = z.object({
  supply_demand: z.object({ timestamps: times, ...recordOf(countFigures, () => counts) }),
  pricing: z.object({ timestamps: times, ...recordOf(priceFigures, () => prices) }),
})
type OfficialRecord = z.infer<typeof record>
const answer = z.object({
  success: z.literal(true),
  needs_machine: z.boolean(),
  gpus: z.record(z.string(), record),
})

/**
 * Reads the history of every GPU name from another server of the contract. Throws HostApiError for an answer that is not of the contract, that
 * contradicts itself in many names, or that has figures of the future.
 */
export async function readOfficial(
  { verified, from, to }: OfficialRange,
  options: HostApiOptions,
): Promise<OfficialAnswer> {
  const query = new URLSearchParams({
    gpu_name: 'all',
    verified,
    start: `${from}`,
    end: `${to - 1}`,
    step: `${officialStep}`,
  })
  const url = new URL(`${baseOf(options.url)}metrics/gpu/history?${query}`)
  const { needs_machine, gpus } = await callHost(answer, url, options)
  if (needs_machine)
    throw new HostApiError(
      'key',
      'The account of the key has no active machine there, so the server does not show it the market.',
    )
  const step = stepOf(Object.values(gpus))
  const leftOut: Record<string, string> = {}
  const rows: OfficialRow[] = []
  for (const [gpu_name, one] of Object.entries(gpus)) {
    if (one.supply_demand.timestamps.some((time) => time >= to + step))
      throw new HostApiError('unreadable', `It has figures of ${gpu_name} of a time that is not over yet.`)
    const problem = problemOf(gpu_name, one)
    if (problem === undefined) rows.push(...rowsOf(one, { gpu_name, verified, step, from, to }))
    else leftOut[gpu_name] = problem
  }
  const [[name, reason] = ['', '']] = Object.entries(leftOut)
  if (Object.keys(leftOut).length > Object.keys(gpus).length * mostLeftOut)
    throw new HostApiError(
      'unreadable',
      `The figures of ${Object.keys(leftOut).length} of ${Object.keys(gpus).length} GPU names contradict themselves, such as ${name}: ${reason}.`,
    )
  return { rows, leftOut }
}

/** The least distance of two timestamps: the server may choose longer buckets than requested. */
function stepOf(records: readonly OfficialRecord[]): number {
  let least = Number.POSITIVE_INFINITY
  for (const { supply_demand } of records)
    for (const [index, time] of supply_demand.timestamps.entries())
      least = Math.min(least, time - (supply_demand.timestamps[index - 1] ?? Number.NEGATIVE_INFINITY))
  return Number.isFinite(least) ? Math.max(officialStep, least) : officialStep
}

/** Why the figures of a GPU name cannot be taken; undefined: they can. */
function problemOf(name: string, { supply_demand, pricing }: OfficialRecord): string | undefined {
  if (!gpuName.test(name) || name.length > longestName) return 'it is no name of a GPU type'
  const { timestamps } = supply_demand
  if (timestamps.some((time, index) => time <= (timestamps[index - 1] ?? -1)))
    return 'its timestamps are not in order'
  if (timestamps.join() !== pricing.timestamps.join()) return 'counts and prices have other timestamps'
  const isShort = [
    ...countFigures.map((figure) => supply_demand[figure]),
    ...priceFigures.map((figure) => pricing[figure]),
  ].some(({ length }) => length !== timestamps.length)
  if (isShort) return 'a series has another length than the timestamps'
  for (const index of timestamps.keys()) {
    const problem = contradictionAt({ supply_demand, pricing }, index)
    if (problem) return `${problem} at ${new Date((timestamps[index] ?? 0) * 1000).toISOString()}`
  }
  return undefined
}

const states = ['rented_verified', 'avail_verified', 'rented_unverified', 'avail_unverified'] as const

function contradictionAt({ supply_demand, pricing }: OfficialRecord, index: number): string | undefined {
  const count = (figure: (typeof countFigures)[number]) => supply_demand[figure][index] ?? 0
  const sum = (of: readonly number[]) => of.reduce((total, value) => total + value, 0)
  const gpus = sum(states.map((state) => count(`${state}_gpus`)))
  if (count('available') !== count('avail_verified') + count('avail_unverified'))
    return 'available is not the sum of its parts'
  if (count('total_gpus') !== gpus) return `total_gpus is ${count('total_gpus')}, but its parts are ${gpus}`
  if (count('total') > sum(states.map(count)))
    return `total is ${count('total')}, but its parts are ${sum(states.map(count))}`
  if (states.some((state) => count(state) > count(`${state}_gpus`)))
    return 'there are more machines than GPUs'
  for (const state of ['rented', 'avail'] as const) {
    const found = [pricing[`${state}_p10`], pricing[`${state}_median`], pricing[`${state}_p90`]]
      .map((prices) => prices[index] ?? null)
      .filter((price) => price !== null)
    if (found.some((price, place) => price < (found[place - 1] ?? 0)))
      return `the percentiles of ${state === 'avail' ? 'available' : state} prices are not in order`
  }
  return undefined
}

type Frame = Pick<OfficialRow, 'gpu_name' | 'verified' | 'step'> & { from: number; to: number }

/** The buckets in the range that have a GPU. */
const rowsOf = ({ supply_demand, pricing }: OfficialRecord, { from, to, ...frame }: Frame): OfficialRow[] =>
  supply_demand.timestamps.flatMap((bucket, index) =>
    bucket >= from && bucket < to && (supply_demand.total_gpus[index] ?? 0) > 0
      ? {
          ...frame,
          bucket,
          ...recordOf(countFigures, (figure) => supply_demand[figure][index] ?? 0),
          ...recordOf(priceFigures, (figure) => pricing[figure][index] ?? null),
        }
      : [],
  )
