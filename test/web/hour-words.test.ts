import { describe, expect, it } from 'vitest'
import type { GpuRentalHours } from '../../contract/rental-hours.ts'
import { noPatternSentence, onClock, patternSentences, timeWords } from '../../web/desk/hour-words.ts'

const flat = Array.from({ length: 168 }, () => 1)
const pattern = {
  ratio: flat,
  low: flat,
  high: flat,
  busiest: { from: 14, to: 20, value: 1.4, low: 1.2, high: 1.6 },
  quietest: { from: 22, to: 4, value: 0.7, low: 0.6, high: 0.8 },
  weekend: { value: 0.8, low: 0.7, high: 0.9 },
}

describe('the words about hours of rentals', () => {
  it('name the busiest and quietest hours and weekends in UTC', () => {
    expect(patternSentences('L4', pattern, 0)).toEqual([
      'From 14:00 to 20:00 UTC renters of L4 come 1.40 times as often as on average (1.20 to 1.60).',
      'From 22:00 to 04:00 UTC they come 0.70 times as often (0.60 to 0.80).',
      'At weekends they come 0.80 times as often as on other days (0.70 to 0.90).',
    ])
  })

  it.each([
    [330, '19:30 to 01:30'],
    [-480, '06:00 to 12:00'],
  ])('name hours of a wall clock that is %d minutes ahead', (ahead, span) => {
    expect(patternSentences('L4', pattern, ahead)[0]).toContain(`From ${span} renters`)
  })

  it('leave out hours and weekends whose interval contains 1', () => {
    const wide = { value: 1.1, low: 0.9, high: 1.3 }
    const unclear = { ...pattern, busiest: { from: 1, to: 7, ...wide }, weekend: wide }
    const sentences = patternSentences('L4', unclear, 0)
    expect(sentences).toEqual([
      'From 22:00 to 04:00 UTC renters of L4 come 0.70 times as often as on average (0.60 to 0.80).',
      'Weekends do not differ clearly from other days.',
    ])
  })

  it('name the reason why no hours are shown', () => {
    const found: GpuRentalHours = {
      from: 1_700_438_400,
      to: 1_702_857_600,
      rentals: 512,
      exposure_gpu_hours: 900,
      fill_rate: 0.57,
      reason: 'no_pattern_found',
      p_value: 0.4,
      pattern: null,
    }
    expect(noPatternSentence(found)).toBe(
      'No hours stand out: 512 rentals from 20 Nov 2023 to 17 Dec 2023 differ by hour no more than by chance.',
    )
    const reasons = [
      'no_rentals_known',
      'short_range',
      'rare_sights',
      'few_rentals',
      'little_exposure',
    ] as const
    for (const reason of reasons) expect(noPatternSentence({ ...found, reason })).toMatch(/\.$/)
  })

  it('wrap hours at midnight', () => {
    expect([onClock(23, 120), onClock(1, -120)].map(timeWords)).toEqual(['01:00', '23:00'])
  })
})
