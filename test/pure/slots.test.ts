import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastSlot, minuteOf, nextSlot, type Slots } from '../../src/companion/schedule/job-slots.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const text = (slot: number | null) => slot && new Date(slot * 1000).toISOString().slice(0, 16)
const job = (changes: Partial<Slots>): Slots => ({
  frequency: 'HOURLY',
  day_of_the_week: null,
  hour_of_the_day: null,
  min_of_the_hour: 0,
  start_time: 0,
  end_time: null,
  ...changes,
})

describe('the next slot', () => {
  it.each([
    [{}, '2026-11-21T10:00', '2026-11-21T10:00'],
    [{}, '2026-11-21T10:00:01', '2026-11-21T11:00'],
    [{ min_of_the_hour: 59 }, '2026-11-21T23:59:30', '2026-11-22T00:59'],
    [{ frequency: 'DAILY', hour_of_the_day: 5, min_of_the_hour: 30 }, '2026-11-21T05:31', '2026-11-22T05:30'],
    [{ frequency: 'DAILY', hour_of_the_day: 0 }, '2026-12-31T00:00:01', '2027-01-01T00:00'],
    // 2026-11-21 is a Saturday
    [{ frequency: 'WEEKLY', day_of_the_week: 6, hour_of_the_day: 9 }, '2026-11-21T08:00', '2026-11-21T09:00'],
    [{ frequency: 'WEEKLY', day_of_the_week: 0, hour_of_the_day: 9 }, '2026-11-21T08:00', '2026-11-22T09:00'],
    [
      { frequency: 'WEEKLY', day_of_the_week: 5, hour_of_the_day: 23, min_of_the_hour: 59 },
      '2026-11-21T00:00',
      '2026-11-27T23:59',
    ],
    // The slot is never in the hour before the start.
    [{ start_time: at('2026-11-21T10:30') }, '2026-11-21T09:00', '2026-11-21T11:00'],
    [{ start_time: at('2026-11-21T10:30'), min_of_the_hour: 30 }, '2026-11-21T09:00', '2026-11-21T10:30'],
    [{ end_time: at('2026-11-21T11:00') }, '2026-11-21T10:30', null],
    [{ end_time: at('2026-11-21T11:00') + 0.5 }, '2026-11-21T10:30', '2026-11-21T11:00'],
  ] as [Partial<Slots>, string, string | null][])('is right for %j from %s', (changes, from, expected) => {
    expect(text(nextSlot(job(changes), at(from)))).toBe(expected)
  })

  it('is on the minute, at or after the time, within a period; the last slot is the one before', () => {
    const slots = fc.record({
      frequency: fc.constantFrom('HOURLY', 'DAILY', 'WEEKLY'),
      day: fc.integer({ min: 0, max: 6 }),
      hour: fc.integer({ min: 0, max: 23 }),
      min_of_the_hour: fc.integer({ min: 0, max: 59 }),
    })
    // Times have the precision that requests allow (contract/fields.ts).
    const milliseconds = fc.integer({ min: 0, max: 4e12 }).map((ms) => ms / 1000)
    fc.assert(
      fc.property(slots, milliseconds, ({ frequency, day, hour, min_of_the_hour }, from) => {
        const one = job({
          frequency: frequency as Slots['frequency'],
          day_of_the_week: frequency === 'WEEKLY' ? day : null,
          hour_of_the_day: frequency === 'HOURLY' ? null : hour,
          min_of_the_hour,
        })
        const next = nextSlot(one, from) ?? Number.NaN
        const date = new Date(next * 1000)
        const period = { HOURLY: 3600, DAILY: 86_400, WEEKLY: 604_800 }[one.frequency]
        expect(next).toBeGreaterThanOrEqual(from)
        expect(next).toBeLessThan(from + period + 1)
        expect([date.getUTCMinutes(), date.getUTCSeconds()]).toEqual([min_of_the_hour, 0])
        if (frequency !== 'HOURLY') expect(date.getUTCHours()).toBe(hour)
        if (frequency === 'WEEKLY') expect(date.getUTCDay()).toBe(day)
        expect(lastSlot(one, next)).toBe(next)
        expect(lastSlot(one, next + period - 1)).toBe(next)
        expect(lastSlot({ ...one, end_time: next + 1 }, next + 10 * period)).toBe(next)
        expect(lastSlot({ ...one, end_time: next }, next + 10 * period)).toBe(next - period)
      }),
    )
  })

  it('the minute of a time is the first whole one at or after it', () => {
    expect(
      [at('2026-11-21T10:30:00'), at('2026-11-21T10:30:01'), at('2026-11-21T10:59:59.5')].map(minuteOf),
    ).toEqual([30, 31, 0])
  })
})
