import { floorTo, ladder, slotStep } from '../../../contract/ladder.ts'

export interface Row {
  slot: number
  machine: number
  gpu: string
  gpus: number
  machines: number
  rented: boolean
  price: number
  source: string
}

export interface Entry {
  slot: number
  source: string
  observations: number
  ready: boolean
  revision: number
}

interface Derived {
  value: string
  revision: number
}

interface Weight {
  hour: number
  gpu: string
  weight: number
  revision: number
}

/** ClickHouse's tables. Tables that keep the newest revision of a row keep older ones of `slots` as well, since some queries see them. */
export const emptySeries = () => ({
  observations: [] as Row[],
  /** Observations that the retention removed: what was derived from them stays. */
  expired: [] as Row[],
  tokens: [] as string[],
  slots: new Map<string, Entry[]>(),
  histogram: new Map<string, Weight>(),
  cube: new Map<string, Derived & { step: number; bucket: number; gpu: string }>(),
  stages: new Map<string, (Row & { place: number })[]>(),
  days: 0,
})

export type SeriesState = ReturnType<typeof emptySeries>

export const keyOfRow = ({ slot, machine, gpu, rented, price, source }: Row) =>
  [slot, machine, gpu, rented, price, source].join()
export const keyOfEntry = ({ slot, source }: { slot: number; source: string }) => `${slot} ${source}`
export const keyOfDerived = (step: number, bucket: number, gpu: string) => `${step} ${bucket} ${gpu}`

export const isWithin = (from: number, to: number) => (at: number) => at >= from && at < to

/** A number that adds up where prices are pooled, and differs where they differ. */
const weightOf = ({ rented, price, gpus }: Row) =>
  (((Math.round(price * 1000) * 2 + Number(rented)) * 7919) % 65_521) * gpus

/** The newest entry of each slot. */
export const entries = (state: SeriesState): Entry[] =>
  [...state.slots.values()].map((versions) => versions.reduce((a, b) => (b.revision >= a.revision ? b : a)))

export const newestRevision = (state: SeriesState): number =>
  [...[...state.slots.values()].flat(), ...state.histogram.values(), ...state.cube.values()].reduce(
    (newest, { revision }) => Math.max(newest, revision),
    0,
  )

/** The rows of single slots, out of the observations. */
export function slotRows(rows: readonly Row[]) {
  const sums = new Map<string, { bucket: number; gpu: string; machines: number; pool: number }>()
  for (const row of rows) {
    const key = keyOfDerived(slotStep, row.slot, row.gpu)
    const sum = sums.get(key) ?? { bucket: row.slot, gpu: row.gpu, machines: 0, pool: 0 }
    sum.machines += row.machines
    sum.pool += weightOf(row)
    sums.set(key, sum)
  }
  return [...sums.values()].map(({ bucket, gpu, machines, pool }) => ({
    step: slotStep as number,
    bucket,
    gpu,
    value: `${machines}/${pool}`,
  }))
}

/** The hourly price histogram, out of the observations. */
export function histogramRows(rows: readonly Row[]) {
  const sums = new Map<string, Omit<Weight, 'revision'>>()
  for (const row of rows) {
    const hour = floorTo(3600, row.slot)
    const key = [hour, row.gpu, row.rented, row.price].join()
    const sum = sums.get(key) ?? { hour, gpu: row.gpu, weight: 0 }
    sum.weight += weightOf(row)
    sums.set(key, sum)
  }
  return sums
}

/** The rows of a step: prices are pooled, all else is as at the last slot that was entered. */
export function bucketRows(
  state: Pick<SeriesState, 'slots' | 'histogram' | 'observations'>,
  { step, from, to, hourly, slotValue }: BucketQuestion,
) {
  const within = isWithin(from, to)
  const pooled = hourly
    ? [...state.histogram.values()]
        .filter(({ hour }) => within(hour))
        .map(({ hour: at, gpu, weight }) => ({ at, gpu, weight }))
    : state.observations
        .filter(({ slot }) => within(slot))
        .map((row) => ({ at: row.slot, gpu: row.gpu, weight: weightOf(row) }))
  const last = new Map<number, number>()
  for (const [first] of state.slots.values())
    if (first && within(first.slot)) {
      const bucket = floorTo(step, first.slot)
      last.set(bucket, Math.max(last.get(bucket) ?? 0, first.slot))
    }
  const sums = new Map<string, { bucket: number; gpu: string; pool: number }>()
  for (const { at, gpu, weight } of pooled) {
    const bucket = floorTo(step, at)
    const key = keyOfDerived(step, bucket, gpu)
    const sum = sums.get(key) ?? { bucket, gpu, pool: 0 }
    sum.pool += weight
    sums.set(key, sum)
  }
  return [...sums.values()].map(({ bucket, gpu, pool }) => ({
    step,
    bucket,
    gpu,
    value: `${pool}@${slotValue(last.get(bucket) ?? -1, gpu) ?? 'none'}`,
  }))
}

interface BucketQuestion {
  step: number
  from: number
  to: number
  hourly: boolean
  /** What is known of a GPU at a slot. */
  slotValue: (slot: number, gpu: string) => string | undefined
}

/** What the cube must be: a pure function of all observations that there ever were, and of the slots that are entered. */
export function expectedCube(state: SeriesState): Map<string, string> {
  const observations = [...state.observations, ...state.expired]
  const singles = slotRows(observations)
  const bySlot = new Map(singles.map((row) => [`${row.bucket} ${row.gpu}`, row.value]))
  const slotValue = (slot: number, gpu: string) => bySlot.get(`${slot} ${gpu}`)
  const whole = { from: 0, to: Number.MAX_SAFE_INTEGER, slotValue, hourly: false }
  const rows = ladder.flatMap((step) => bucketRows({ ...state, observations }, { ...whole, step }))
  return new Map(
    [...singles, ...rows].map(({ step, bucket, gpu, value }) => [keyOfDerived(step, bucket, gpu), value]),
  )
}
