/** The points that every series of an answer has: the buckets in which the market was seen, in order. */
export interface Timeline {
  /** Start of the bucket, unix seconds. */
  start: number[]
  /** The last slot of the bucket. */
  lastSlot: number[]
  /** Whether no bucket has more than one slot. */
  single: boolean
}

/** The buckets of [from, to) that hold any of the slots, which are in order. `from` and `to` are on the step. */
export function timelineOf(
  slots: Uint32Array,
  { step, from, to }: { step: number; from: number; to: number },
): Timeline {
  const start: number[] = []
  const lastSlot: number[] = []
  const first = firstAtLeast(slots, from)
  const end = firstAtLeast(slots, to)
  for (const slot of slots.subarray(first, end)) {
    const bucket = slot - (slot % step)
    if (start.at(-1) !== bucket) start.push(bucket)
    lastSlot[start.length - 1] = slot
  }
  return { start, lastSlot, single: start.length === end - first }
}

/** The index of the first slot that is not before `time`. */
function firstAtLeast(slots: Uint32Array, time: number): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((slots[middle] ?? time) < time) low = middle + 1
    else high = middle
  }
  return low
}
