import { floorTo, ladder, priceSteps, slotStep } from '../../../../contract/ladder.ts'

export interface Row {
  slot: number
  machine: number
  gpu: string
  gpus: number
  machines: number
  rented: boolean
  price: number
  source: string
  /** The import that it came with; 0: of a snapshot. */
  importId: number
}

/** A row in the table of an import, and the number of its file. */
export interface StagedRow extends Row {
  file: number
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

/** The weight of a price: in an hour, or in a bucket of a price step. */
interface Weight {
  step: number
  bucket: number
  gpu: string
  price: string
  weight: number
  revision: number
}

/** ClickHouse's tables. Tables that keep the newest revision of a row keep older ones of `slots` as well, since some queries see them. */
export const emptySeries = () => ({
  observations: [] as Row[],
  /** Observations that the retention removed. Their derived rows stay. */
  expired: [] as Row[],
  tokens: [] as string[],
  slots: new Map<string, Entry[]>(),
  histogram: new Map<string, Weight>(),
  priceSteps: new Map<string, Weight>(),
  cube: new Map<string, Derived & { step: number; bucket: number; gpu: string }>(),
  stages: new Map<string, StagedRow[]>(),
  days: 0,
})

export type SeriesState = ReturnType<typeof emptySeries>

export const keyOfRow = ({ slot, machine, gpu, rented, price, source }: Row) =>
  [slot, machine, gpu, rented, price, source].join()
export const keyOfEntry = ({ slot, source }: { slot: number; source: string }) => `${slot} ${source}`
export const keyOfDerived = (step: number, bucket: number, gpu: string) => `${step} ${bucket} ${gpu}`

export const isWithin = (from: number, to: number) => (at: number) => at >= from && at < to

/** A stand-in for pooled prices: equal prices give equal sums, and different ones give different sums. */
const weightOf = ({ rented, price, gpus }: Row) =>
  (((Math.round(price * 1000) * 2 + Number(rented)) * 7919) % 65_521) * gpus

/** The newest entry of each slot. */
export const entries = (state: SeriesState): Entry[] =>
  [...state.slots.values()].map((versions) => versions.reduce((a, b) => (b.revision >= a.revision ? b : a)))

export const newestRevision = (state: SeriesState): number =>
  [
    ...[...state.slots.values()].flat(),
    ...state.histogram.values(),
    ...state.priceSteps.values(),
    ...state.cube.values(),
  ].reduce((newest, { revision }) => Math.max(newest, revision), 0)

/** The rows of single slots, computed from the observations. */
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

/** The weights of observations, by the hour. */
export const histogramRows = (rows: readonly Row[]) =>
  pooled(
    3600,
    rows.map((row) => ({
      bucket: row.slot,
      gpu: row.gpu,
      price: `${row.rented} ${row.price}`,
      weight: weightOf(row),
    })),
  )

/** Sums the rows of narrower buckets into buckets of a step, by step, bucket, GPU and price. */
export function pooled(step: number, rows: Iterable<Pick<Weight, 'bucket' | 'gpu' | 'price' | 'weight'>>) {
  const sums = new Map<string, Omit<Weight, 'revision'>>()
  for (const { bucket: at, gpu, price, weight } of rows) {
    const bucket = floorTo(step, at)
    const key = [step, bucket, gpu, price].join()
    const sum = sums.get(key) ?? { step, bucket, gpu, price, weight: 0 }
    sum.weight += weight
    sums.set(key, sum)
  }
  return sums
}

/** The rows of a step: prices are pooled, all other columns are from the last slot that was entered. */
export function bucketRows(
  state: Pick<SeriesState, 'slots'>,
  { step, from, to, weights, slotValue }: BucketQuestion,
) {
  const within = isWithin(from, to)
  const last = new Map<number, number>()
  for (const [first] of state.slots.values())
    if (first && within(first.slot)) {
      const bucket = floorTo(step, first.slot)
      last.set(bucket, Math.max(last.get(bucket) ?? 0, first.slot))
    }
  const sums = new Map<string, { bucket: number; gpu: string; pool: number }>()
  for (const { bucket: at, gpu, weight } of weights) {
    if (!within(at)) continue
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
  /** The pooled weights. */
  weights: Iterable<Pick<Weight, 'bucket' | 'gpu' | 'weight'>>
  /** The known value of a GPU at a slot. */
  slotValue: (slot: number, gpu: string) => string | undefined
}

/** The weights that buckets of whole hours are pooled from. */
export function storedWeights({ histogram, priceSteps: wider }: SeriesState, step: number): Weight[] {
  const stored = priceSteps.find((one) => step % one === 0)
  return stored ? [...wider.values()].filter((row) => row.step === stored) : [...histogram.values()]
}

/** The rows of a step, computed from the observations. */
export function observedRows(
  state: Pick<SeriesState, 'slots' | 'observations'>,
  { step, from, to }: Pick<BucketQuestion, 'step' | 'from' | 'to'>,
) {
  const within = isWithin(from, to)
  const observations = state.observations.filter(({ slot }) => within(slot))
  const singles = slotRows(observations)
  if (step === slotStep) return singles
  const bySlot = new Map(singles.map((row) => [`${row.bucket} ${row.gpu}`, row.value]))
  const weights = observations.map((row) => ({ bucket: row.slot, gpu: row.gpu, weight: weightOf(row) }))
  const slotValue = (slot: number, gpu: string) => bySlot.get(`${slot} ${gpu}`)
  return bucketRows(state, { step, from, to, weights, slotValue })
}

/** The expected cube: a pure function of all observations that ever existed, and of the entered slots. */
export function expectedCube(state: SeriesState): Map<string, string> {
  const observations = [...state.observations, ...state.expired]
  const whole = { from: 0, to: Number.MAX_SAFE_INTEGER }
  const rows = [slotStep, ...ladder].flatMap((step) =>
    observedRows({ slots: state.slots, observations }, { ...whole, step }),
  )
  return new Map(rows.map(({ step, bucket, gpu, value }) => [keyOfDerived(step, bucket, gpu), value]))
}
