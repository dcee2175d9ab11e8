import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waitingOf, waitOf } from '../../estimates/pooled/wait.ts'
import { waitingWords } from '../../web/components/waiting-words.ts'

const now = 1_760_000_400

describe('the idle time of a machine', () => {
  it('the example of docs/numbers.md holds', () => {
    const wait = waitOf(new Float64Array([0.05]), { gpus: 4, atOnce: 2.9 })
    const waiting = waitingOf(wait, { since: now - 9 * 3600, now })
    expect(waiting.longer).toBeCloseTo(0.54, 2)
    expect(waiting.rare_hours).toBeCloseTo(43.4, 1)
    expect(waiting.rare_at).toBe(now - 9 * 3600 + Math.round(3600 * waiting.rare_hours))
    expect(waitingWords(waiting)).toMatch(
      /^normal at its price until [A-Z][a-z]+day \d+ [A-Z][a-z]+: 54\u00a0% of such machines wait longer, 1 in 20 longer than /,
    )
    const late = waitingOf(wait, { since: now - 61 * 3600, now })
    expect(late.longer).toBeLessThan(0.05)
    expect(waitingWords(late)).toMatch(/^not normal at its price since [A-Z][a-z]+day \d+ /)
  })

  it('has the share that waits, exactly for one rate', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 200, noNaN: true }),
        (rate, idle) => {
          const wait = waitOf(new Float64Array([rate]), { gpus: 1, atOnce: 1 })
          const since = now - Math.round(3600 * idle)
          const { longer, idle_hours, rare_hours } = waitingOf(wait, { since, now })
          expect(longer).toBeCloseTo(Math.exp(-rate * idle_hours), 4)
          expect(rare_hours).toBeCloseTo(Math.log(20) / rate, 0)
        },
      ),
    )
  })
})
