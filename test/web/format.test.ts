import { describe, expect, it } from 'vitest'
import { change, clock, count, figure, percent, price, priceTick } from '../../web/format.ts'

describe('a price', () => {
  it.each([
    [1e-6, '$0.000001'],
    [0.00123, '$0.0012'],
    [0.5, '$0.500'],
    [2.345, '$2.35'],
    [1e6, '$1,000,000.00'],
    [0, '$0.000'],
    [null, '–'],
  ])('is readable: %d', (value, words) => {
    expect(price(value)).toBe(words)
  })

  it.each([
    [[0, 2.5e-7, 5e-7], 2.5e-7, ['$0.00000000', '$0.00000025', '$0.00000050']],
    [[0.0025, 0.005], 0.0025, ['$0.0025', '$0.0050']],
    [[0.2, 0.25], 0.05, ['$0.20', '$0.25']],
    [[1, 2], 1, ['$1.00', '$2.00']],
    [[0, 250_000, 1e6], 250_000, ['$0', '$250,000', '$1,000,000']],
  ])('on an axis differs from its neighbours: %j', (ticks, apart, texts) => {
    expect(ticks.map((tick) => priceTick(tick, apart))).toEqual(texts)
  })
})

describe('a figure is written as Intl does it', () => {
  const sizes = [
    0, 0.004, 0.05, 0.4996, 1, 1.005, 12.345, 999.5, 1000, 12_345.678, 999_999.5, 1e6, 987_654_321,
  ]
  const values = sizes.flatMap((size) => [size, -size])
  const en = (options: Intl.NumberFormatOptions) => (value: number) =>
    new Intl.NumberFormat('en-US', options).format(value)
  // The page has a space before the sign, and a minus instead of a hyphen.
  const inWords = (write: (value: number) => string) => (value: number) =>
    write(value).replace('%', '\u00a0%').replace('-', '−')
  const tenthsOfPercent = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

  it.each([
    ['a count', count, en({ maximumFractionDigits: 0 })],
    ['a share', percent, inWords(en(tenthsOfPercent))],
    ['a change', change, inWords(en({ ...tenthsOfPercent, signDisplay: 'exceptZero' }))],
    ['four digits', figure, en({ maximumSignificantDigits: 4 })],
  ])('%s', (_what, write, byIntl) => {
    for (const value of values.filter((value) => !Object.is(value, -0)))
      expect(write(value), String(value)).toBe(byIntl(value))
  })

  it('a time of the day', () => {
    const byIntl = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
    for (let time = 1_772_900_000; time < 1_773_100_000; time += 12_345)
      expect(clock(time)).toBe(byIntl.format(time * 1000))
  })
})
