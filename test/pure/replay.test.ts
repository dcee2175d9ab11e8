import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Replayed, type ReplayHour, replay } from '../../estimates/replay.ts'
import { seeded } from '../../simulate/random.ts'

const exactly = (value: number) => ({ value, low: value, high: value })
const hour: ReplayHour = { online: true, fillAt: (price) => exactly(0.1 / price), back: exactly(0.05) }
const never: ReplayHour = { online: true, fillAt: () => exactly(0), back: exactly(0) }
const hours = (count: number, of = hour) => Array.from({ length: count }, () => of)
const asked = (changes: Partial<Replayed> = {}): Replayed => ({
  gpus: 2,
  atOnce: 1,
  begin: [],
  hours: hours(240),
  rule: () => 1,
  random: seeded(1),
  ...changes,
})

describe('replay', () => {
  it('earns as in the example of docs/numbers.md', () => {
    const of: ReplayHour = { online: true, fillAt: () => exactly(0.05), back: exactly(0.025) }
    const { earned } = replay(asked({ gpus: 4, hours: hours(168, of), rule: () => 0.4 })) ?? fail()
    const told = `about ${Math.round(earned.value)} USD, in 8 of 10 cases ${Math.round(earned.low)} to ${Math.round(earned.high)}`
    expect(readFileSync('docs/numbers.md', 'utf8')).toContain(told)
    expect(0.4 * 4 * 168 * (2 / 3) * (1 - (1 - Math.exp(-0.075 * 168)) / (0.075 * 168))).toBeCloseTo(
      164.98,
      2,
    )
  })

  it('is the same for the same numbers, and holds its mean in its interval', () => {
    const [first, again] = [replay(asked()), replay(asked())]
    expect(again).toEqual(first)
    for (const { value, low, high } of [first?.earned, first?.worst_day, first?.idle_days].flatMap(
      (one) => one ?? [],
    )) {
      expect(value).toBeGreaterThan(low)
      expect(value).toBeLessThan(high)
    }
  })

  it('earns what rates of renting and of coming back let expect', () => {
    // The expected rented share is 0.1 ÷ (0.1 + 0.05). The replay begins idle and needs some 1 ÷ 0.15 hours to reach this share.
    const expected = 2 * (2 / 3) * (240 - 1 / 0.15)
    const { earned } = replay(asked()) ?? fail()
    expect(Math.abs(earned.value / expected - 1)).toBeLessThan(0.04)
  })

  it('spreads more when rates are known less well, and when GPUs go together', () => {
    const width = (changes: Partial<Replayed>) => {
      const { low, high } = (replay(asked(changes)) ?? fail()).earned
      return high - low
    }
    const unsure = { ...hour, fillAt: () => ({ value: 0.1, low: 0.02, high: 0.5 }) }
    expect(width({ hours: hours(240, unsure) })).toBeGreaterThan(1.3 * width({}))
    expect(width({ gpus: 8, atOnce: 8 })).toBeGreaterThan(1.5 * width({ gpus: 8, atOnce: 1 }))
  })

  it('keeps the price at which a rental began', () => {
    const begin = [{ gpus: 1, price: 3 }]
    const found = replay(asked({ begin, hours: hours(48, never) })) ?? fail()
    expect(found).toMatchObject({ earned: exactly(144), worst_day: exactly(72), idle_days: exactly(0) })
    expect(found).toMatchObject({ occupancy: exactly(0.5), net: null, deciles: Array(9).fill(144) })
  })

  it('rents nothing of a machine that is offline', () => {
    const found = replay(asked({ hours: hours(48, { ...hour, online: false }) })) ?? fail()
    expect(found).toMatchObject({ earned: exactly(0), worst_day: exactly(0), idle_days: exactly(2) })
  })

  it('passes a rule the idle time', () => {
    const seen = new Set<number>()
    const rule = (at: number, idle: number) => {
      expect(idle).toBe(at)
      seen.add(idle)
      return 0.95 ** Math.floor(idle / 24)
    }
    replay(asked({ hours: hours(30, never), rule }))
    expect(seen.size).toBe(30)
  })

  it('answers nothing where a rate is not known, and no worst day of a part of one', () => {
    expect(replay(asked({ hours: [hour, { ...hour, fillAt: () => null }] }))).toBeNull()
    expect(replay(asked({ hours: hours(23) }))?.worst_day).toBeNull()
  })
})

function fail(): never {
  throw new Error('there is no replay')
}
