/** The points of every series of an answer: the buckets with a slot, in order. */
export interface Timeline {
  /** Start of the bucket, unix seconds. */
  start: number[]
  /** The last slot of the bucket. */
  lastSlot: number[]
  /** Number of slots in the bucket. */
  slots: number[]
  /** True if no bucket has more than one slot. */
  single: boolean
}

/** The buckets of [from, to) that hold any of the slots, which are in order. `from` and `to` are on the step. */
export function timelineOf(
  all: Uint32Array,
  { step, from, to }: { step: number; from: number; to: number },
): Timeline {
  const start: number[] = []
  const lastSlot: number[] = []
  const slots: number[] = []
  const found = all.subarray(firstAtLeast(all, from), firstAtLeast(all, to))
  for (const slot of found) {
    const bucket = slot - (slot % step)
    if (start.at(-1) !== bucket) {
      start.push(bucket)
      slots.push(0)
    }
    lastSlot[start.length - 1] = slot
    slots[start.length - 1] = (slots[start.length - 1] ?? 0) + 1
  }
  return { start, lastSlot, slots, single: start.length === found.length }
}

/** Number of slots, which are in order, in [from, to). */
export const slotsIn = (all: Uint32Array, { from, to }: { from: number; to: number }): number =>
  firstAtLeast(all, to) - firstAtLeast(all, from)

/** The last of the slots that is not after `time`; undefined when there is none. */
export const slotAt = (all: Uint32Array, time: number): number | undefined =>
  all[firstAtLeast(all, time + 1) - 1]

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
