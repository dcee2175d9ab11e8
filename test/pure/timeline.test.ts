import { expect, it } from 'vitest'
import { timelineOf } from '../../src/metrics/history/timeline.ts'

const slots = Uint32Array.of(300, 600, 900, 3900, 7200)

it('has the buckets of the range that hold a slot, with the last slot of each', () => {
  expect(timelineOf(slots, { step: 900, from: 0, to: 9000 })).toEqual({
    start: [0, 900, 3600, 7200],
    lastSlot: [600, 900, 3900, 7200],
    single: false,
  })
})

it('takes the slots from `from` on and before `to`', () => {
  expect(timelineOf(slots, { step: 300, from: 600, to: 3900 })).toEqual({
    start: [600, 900],
    lastSlot: [600, 900],
    single: true,
  })
})

it.each([
  [0, 300],
  [1200, 3900],
  [7500, 9000],
  [0, 0],
])('is empty where there is no slot, %d to %d', (from, to) => {
  expect(timelineOf(slots, { step: 300, from, to }).start).toEqual([])
  expect(timelineOf(new Uint32Array(), { step: 300, from, to }).start).toEqual([])
})
