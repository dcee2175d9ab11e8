import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../../import/observation.ts'
import { slotOf } from '../../import/times.ts'

describe('a time', () => {
  it.each([
    ['1670005166', 1_670_005_166],
    [1_670_005_166, 1_670_005_166],
    [1_670_005_166n, 1_670_005_166],
    ['1670005166.9', 1_670_005_166],
    ['1.670005166E9', 1_670_005_166],
    [new Date('2026-07-05T23:04:21.999Z'), 1_783_292_661],
    ['2026-07-05', 1_783_209_600],
    ['2024-02-29', 1_709_164_800],
    ['2026-07-05T23:04', 1_783_292_640],
    ['2026-07-05T24:00:00Z', 1_783_296_000],
    ['2026-07-05T23:04:21Z', 1_783_292_661],
    ['2026-07-05t23:04:21z', 1_783_292_661],
    ['2026-07-05 23:04:21', 1_783_292_661],
    ['2026-07-05 23:04:21,945', 1_783_292_661],
    ['2026-07-05 23:04:21.945616 UTC', 1_783_292_661],
    ['2026-07-05 23:04:21 UTC', 1_783_292_661],
    ['2026-07-05 23:04:21 GMT', 1_783_292_661],
    ['2026-07-05 23:04:21+00', 1_783_292_661],
    ['2026-07-05 20:04:21.5-03', 1_783_292_661],
    ['2026-07-06 04:34:21+0530', 1_783_292_661],
    ['2026-07-06 04:34:21+05:30', 1_783_292_661],
    ['2026-07-05 23:04:21 +0000 UTC', 1_783_292_661],
    ['2026-07-06 01:04:21 +0200', 1_783_292_661],
    ['2026-07-06T01:04:21.945616+02:00', 1_783_292_661],
    ['2026-07-06T01:04:21+02:00[Europe/Paris]', 1_783_292_661],
    ['2026-07-05T23:04:21Z[UTC]', 1_783_292_661],
    ['2026-07-05T18:04:21\u221205:00', 1_783_292_661],
    ['2026-07-06 01:04:21 GMT+0200', 1_783_292_661],
    ['2026/07/05 23:04:21', 1_783_292_661],
    ['20260705T230421Z', 1_783_292_661],
    ['20260705T2304Z', 1_783_292_640],
    ['Sun, 05 Jul 2026 23:04:21 GMT', 1_783_292_661],
    ['5 Jul 2026 23:04:21 +0000', 1_783_292_661],
    ['05-Jul-2026', 1_783_209_600],
  ])('written as %s is %i', (value, expected) => {
    expect(slotOf(value, 'ts')).toBe(expected)
  })

  it.each([
    ['1775000990000', 'ts is in milliseconds, not unix seconds: 1775000990000'],
    ['1.775000990000e12', 'ts is in milliseconds, not unix seconds: 1.775000990000e12'],
    ['1775000990000000', 'ts is in microseconds, not unix seconds: 1775000990000000'],
    [1775000990000000000n, 'ts is in nanoseconds, not unix seconds: 1775000990000000000'],
    ['99999999999999999999', 'ts is after 2100: 99999999999999999999'],
    ['20260705', 'ts is a date without dashes, not unix seconds: 20260705'],
    ['20260705230421', 'ts is a date without dashes, not unix seconds: 20260705230421'],
    ['202607052304', 'ts is a date without dashes, not unix seconds: 202607052304'],
    ['46208.96', 'ts is a year, or days as a spreadsheet counts them, not unix seconds: 46208.96'],
    ['2026', 'ts is a year, or days as a spreadsheet counts them, not unix seconds: 2026'],
    ['700000000', 'ts is a number before 2000, not unix seconds: 700000000'],
    ['1.2.3', 'ts is not a number: 1.2.3'],
    ['0', 'ts is before 1970: 0'],
    ['-5', 'ts is before 1970: -5'],
    ['01/02/2026', 'ts is a date that does not begin with its year: 01/02/2026'],
    ['1.2.2026 10:00', 'ts is a date that does not begin with its year: 1.2.2026 10:00'],
    ['2026-W06-1', 'ts is a date with a week: 2026-W06-1'],
    ['2026-033', 'ts is a date with a day of the year: 2026-033'],
    ['2026-07-05 11:04:21 PM', 'ts is a time of 12 hours: 2026-07-05 11:04:21 PM'],
    [
      '2026-07-05 23:04:21 CEST',
      'ts has a time zone that is neither UTC nor an offset: 2026-07-05 23:04:21 CEST',
    ],
    [
      '2026-07-05 23:04:21 Europe/Paris',
      'ts has the name of a time zone without its offset: 2026-07-05 23:04:21 Europe/Paris',
    ],
    [
      '2026-07-05T23:04:21[Europe/Paris]',
      'ts has the name of a time zone without its offset: 2026-07-05T23:04:21[Europe/Paris]',
    ],
    ['2026-02-29', 'ts is not a time that exists: 2026-02-29'],
    ['2026-13-01', 'ts is not a time that exists: 2026-13-01'],
    ['2026-00-01', 'ts is not a time that exists: 2026-00-01'],
    ['2026-01-01T25:00:00Z', 'ts is not a time that exists: 2026-01-01T25:00:00Z'],
    ['2026-06-30T23:59:60Z', 'ts is not a time that exists: 2026-06-30T23:59:60Z'],
    ['2026-01-01T00:00:00+99', 'ts is not a time that exists: 2026-01-01T00:00:00+99'],
    [new Date(Number.NaN), 'ts is not a time that exists: Invalid Date'],
    ['Sun, 05 Foo 2026 23:04:21 GMT', 'ts is not a time that exists: Sun, 05 Foo 2026 23:04:21 GMT'],
    ['1900-01-01', 'ts is before 1970: 1900-01-01'],
    ['9999-12-31', 'ts is after 2100: 9999-12-31'],
    ['now', 'ts is neither unix seconds nor an ISO 8601 time: now'],
    ['', 'ts is missing'],
  ])('written as %s is refused, and its form is named', (value, reason) => {
    expect(() => slotOf(value, 'ts')).toThrow(new Rejected(reason))
  })

  it('is the same in each form that databases and languages write', () => {
    const seconds = fc.integer({ min: 946_684_800, max: 4_102_444_800 - 86_400 })
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(seconds, minutes, (slot, offset) => {
        const [date, clock] = new Date((slot + offset * 60) * 1000).toISOString().slice(0, 19).split('T')
        const sign = offset < 0 ? '-' : '+'
        const [hh, mm] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
          String(part).padStart(2, '0'),
        )
        const utc = new Date(slot * 1000).toISOString()
        for (const text of [
          `${date}T${clock}${sign}${hh}:${mm}`,
          `${date} ${clock}.25${sign}${hh}${mm}`,
          `${date} ${clock} ${sign}${hh}${mm}`,
          utc,
          utc.replace('T', ' ').replace('.000Z', ' UTC'),
          new Date(slot * 1000).toUTCString(),
          slot,
          `${slot}.0`,
        ])
          expect(slotOf(text, 'ts')).toBe(slot)
      }),
    )
  })
})
