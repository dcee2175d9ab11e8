import { expect, it } from 'vitest'
import { slotAt, timelineOf } from '../../src/market/market-query/timeline.ts'

const slots = Uint32Array.of(300, 600, 900, 3900, 7200)

it('a timeline has the buckets of the range that hold a slot, with the last slot of each', () => {
  expect(timelineOf(slots, { step: 900, from: 0, to: 9000 })).toEqual({
    start: [0, 900, 3600, 7200],
    lastSlot: [600, 900, 3900, 7200],
    slots: [2, 1, 1, 1],
    single: false,
  })
})

it('a timeline has the slots from `from` on and before `to`', () => {
  expect(timelineOf(slots, { step: 300, from: 600, to: 3900 })).toEqual({
    start: [600, 900],
    lastSlot: [600, 900],
    slots: [1, 1],
    single: true,
  })
})

it.each([
  [0, 300],
  [1200, 3900],
  [7500, 9000],
  [0, 0],
])('a timeline is empty without slots, %d to %d', (from, to) => {
  expect(timelineOf(slots, { step: 300, from, to }).start).toEqual([])
  expect(timelineOf(new Uint32Array(), { step: 300, from, to }).start).toEqual([])
})

it('slotAt finds the slot at a time', () => {
  expect([299, 300, 899, 900, 9000].map((time) => slotAt(slots, time))).toEqual([
    undefined,
    300,
    600,
    900,
    7200,
  ])
})
