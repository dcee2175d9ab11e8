import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alertCondition, type ChangeCondition } from '../../contract/alert-conditions.ts'
import { alertSpans } from '../../contract/alert-kinds.ts'
import { alertBody } from '../../contract/alerts.ts'
import { type MarketFigure, type SlotFigures, slotBefore } from '../../src/alerts/slot-figures.ts'
import { at, figure, interval, start, told } from '../alert-slots.ts'
import { expectedChanges } from '../oracle/alerts.ts'

const falls = alertCondition.parse({
  kind: 'statistic',
  gpu_name: 'rtx_4090',
  statistic: 'avail_median',
  is: 'falls',
  by: 5,
  within_hours: 1,
  slots: 1,
}) as ChangeCondition
const hour = 3600 / interval

/** A market at some slots. Each slot has the figures of the slots before. */
function marketOf(
  given: readonly { slot: number; market: Partial<MarketFigure> | undefined }[],
): SlotFigures[] {
  const slots = Uint32Array.from(given.map(({ slot }) => slot))
  const bySlot = new Map(
    given.map(({ slot, market }) => [slot, at(slot, { market: () => market && figure(market) })]),
  )
  return given.map(({ slot }) => ({
    ...at(slot),
    ...bySlot.get(slot),
    ago: (hours) => bySlot.get(slotBefore(slots, slot - hours * 3600, interval) ?? -1),
  }))
}
/** An hour of one figure, then others, slot by slot. */
const hourOf = (first: Partial<MarketFigure>, ...then: (Partial<MarketFigure> | undefined)[]) =>
  marketOf(
    [...Array.from({ length: hour }, () => first), ...then].map((market, n) => ({
      slot: start + n * interval,
      market,
    })),
  )
const median = (avail_median: number | null) => ({ avail_median })
const step = (...values: number[]) => hourOf(median(0.4), ...values.map(median))
const afterGap = marketOf(
  [0, 26].map((n) => ({ slot: start + n * interval, market: median(n === 0 ? 0.4 : 0.1) })),
)
const turns = (lines: readonly string[]) => lines.map((line) => line.split(':')[0])

describe('a rule on a change', () => {
  it('reports the change of a figure and its start, and its end', () => {
    expect(told(falls, step(0.39, 0.38, 0.36, 0.381, 0.37))).toEqual([
      '13 fired: rtx 4090 (verified): the available median is $0.38, down 5 % in 1 hour (from $0.4).',
      '15 resolved: rtx 4090 (verified): the available median is $0.381, no longer down 5 % in 1 hour (from $0.4).',
      '16 fired: rtx 4090 (verified): the available median is $0.37, down 7.5 % in 1 hour (from $0.4).',
    ])
    const rises = { ...falls, is: 'rises', by: 5, within_hours: 1 } as const
    expect(told(rises, step(0.41, 0.42, 0.5))).toEqual([
      '13 fired: rtx 4090 (verified): the available median is $0.42, up 5 % in 1 hour (from $0.4).',
    ])
  })

  it('resolves when the lower value is the older one, too: it no longer falls', () => {
    expect(turns(told(falls, step(...Array.from({ length: hour + 2 }, () => 0.3))))).toEqual([
      '12 fired',
      '24 resolved',
    ])
  })

  it('counts slots in a row, and waits until the change is small enough', () => {
    expect(turns(told({ ...falls, slots: 2 }, step(0.38, 0.39, 0.38, 0.38, 0.4, 0.38, 0.4, 0.4)))).toEqual([
      '15 fired',
      '19 resolved',
    ])
    expect(turns(told({ ...falls, clears_at: 2.5 }, step(0.38, 0.381, 0.391, 0.39)))).toEqual([
      '12 fired',
      '14 resolved',
    ])
  })

  it.each([
    ['no figure', hourOf(median(null), median(0.1), median(0.1))],
    ['0 before', hourOf(median(0), median(1), median(0))],
    ['few machines before', hourOf({ avail_median: 0.4, available: 4 }, median(0.1), median(0.1))],
    ['few machines now', hourOf(median(0.4), { avail_median: 0.1, available: 4 }, undefined)],
    ['no slot of the hour before then', afterGap],
  ])('reports nothing with %s', (_, slots) => {
    for (const is of ['falls', 'rises'] as const) expect(told({ ...falls, is }, slots)).toEqual([])
  })

  it('compares with the newest slot of the hour before if the exact one is missing', () => {
    const slots = Uint32Array.of(1000, 4000, 8000)
    expect([3999, 4000, 7599, 7600, 7999, 8000, 9000].map((time) => slotBefore(slots, time, 300))).toEqual([
      1000,
      4000,
      4000,
      undefined,
      undefined,
      8000,
      8000,
    ])
    expect([4600, 7999, 999].map((time) => slotBefore(slots, time, 7200))).toEqual([4000, 4000, undefined])
  })

  it.each([
    [
      'rented_median',
      { rented_median: 0.4 },
      { rented_median: 0.2 },
      '$0.2, down 50 % in 1 hour (from $0.4)',
    ],
    ['occupancy', {}, { rented_gpus: 40 }, '40 %, down 20 % in 1 hour (from 50 %)'],
    // A count needs no minimum of machines: it shows itself that it is small.
    [
      'total_gpus',
      { total: 2, total_gpus: 8 },
      { total: 1, total_gpus: 4 },
      '4, down 50 % in 1 hour (from 8)',
    ],
  ])('watches %s', (statistic, before, now, text) => {
    const condition = alertCondition.parse({ ...falls, statistic })
    expect(told(condition, hourOf(before, now))[0]).toContain(text)
  })

  it.each([
    ['rented_median', { total: 14, available: 10 }],
    ['occupancy', { total: 4, available: 2 }],
  ])('ignores %s of few machines', (statistic, few) => {
    const condition = alertCondition.parse({ ...falls, statistic })
    const now = { ...few, rented_median: 0.1, rented_gpus: 10 }
    expect(told(condition, hourOf(few, now))).toEqual([])
  })

  it('always equals the plain definition', () => {
    const given = fc.array(
      fc.record({
        pause: fc.constantFrom(1, 1, 1, 1, 1, 2, 5, 12, 13),
        value: fc.option(fc.integer({ min: 0, max: 20 })),
        isThin: fc.constantFrom(false, false, false, false, true),
      }),
      { maxLength: 80 },
    )
    const rule = fc.record({
      is: fc.constantFrom('falls' as const, 'rises' as const),
      by: fc.constantFrom(1, 5, 10, 25, 50, 100),
      apart: fc.option(fc.constantFrom(0.5, 1)),
      within_hours: fc.constantFrom(1 as const, 3 as const),
      slots: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(given, rule, (given, { apart, ...rule }) => {
        let slot = start
        const series = given.map(({ pause, ...one }) => {
          slot += pause * interval
          return { slot, ...one }
        })
        const clears_at = apart === null ? null : rule.by * (1 - apart)
        const found = told(
          { ...falls, ...rule, clears_at },
          marketOf(
            series.map(({ slot, value, isThin }) => ({
              slot,
              market: { avail_median: value === null ? null : value / 100, available: isThin ? 4 : 5 },
            })),
          ),
        )
        const expected = expectedChanges(series, { ...rule, clears_at, hours: rule.within_hours, interval })
        expect(turns(found)).toEqual(
          expected.map((line) => {
            const [when, what] = line.split(' ')
            return `${(Number(when) - start) / interval} ${what}`
          }),
        )
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the fields of a rule on a change', () => {
  const problemsOf = (changes: object) => {
    const condition = { ...falls, ...changes }
    const parsed = alertBody.safeParse({ name: 'x', condition })
    return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'))
  }
  it.each([
    ['condition.by', { by: undefined }],
    ['condition.by', { by: 0 }],
    ['condition.by', { by: -5 }],
    ['condition.by', { by: '5' }],
    ['condition.by', { by: 100.1 }],
    ['condition.by', { is: 'rises', by: 1001 }],
    ['condition.by', { by: Number.NaN }],
    ['condition.within_hours', { within_hours: 0 }],
    ['condition.within_hours', { within_hours: 5 }],
    ['condition.within_hours', { within_hours: null }],
    ['condition.clears_at', { clears_at: 5 }],
    ['condition.clears_at', { clears_at: -1 }],
    ['condition.slots', { slots: 0 }],
    ['condition.is', { is: 'moves' }],
    ['condition.is', { is: undefined }],
    ['condition.limit', { is: 'below' }],
  ])('names %s of %j', (field, changes) => {
    expect(problemsOf(changes)).toEqual([field])
  })

  it('each number of hours, by default a day', () => {
    for (const within_hours of alertSpans) expect(problemsOf({ within_hours })).toEqual([])
    expect(alertCondition.parse({ ...falls, within_hours: undefined })).toMatchObject({ within_hours: 24 })
    expect(problemsOf({ is: 'rises', by: 1000, clears_at: 999 })).toEqual([])
  })
})
