import { describe, expect, it } from 'vitest'
import type { TermAdvice } from '../../contract/income-by-terms.ts'
import { adviceSentences, groupWords } from '../../web/terms/words.ts'

describe('advice on terms in words', () => {
  const more_per_day = { value: 12.4, low: 8.1, high: 16.7 }
  const advice = (machine_id: number, from: number): TermAdvice => ({
    machine_id,
    gpu_name: 'RTX 4090',
    num_gpus: 8,
    term: 'min_gpus',
    now: { from: 8, to: null },
    better: { from, to: null },
    more_per_day,
    reason: null,
  })

  it('has the step, the gain and its interval', () => {
    const sums = [{ term: 'min_gpus' as const, machines: 1, more_per_day }]
    expect(adviceSentences({ sums, advice: [advice(1, 1)] })).toEqual([
      'Offer parts of 1: about $12.40 a day more ($8.10 to $16.70).',
    ])
  })

  it('has the mix over several machines', () => {
    const sums = [{ term: 'min_gpus' as const, machines: 3, more_per_day }]
    expect(adviceSentences({ sums, advice: [advice(1, 1), advice(2, 2), advice(3, 1)] })).toEqual([
      'Offer parts of 1 (2 machines), offer parts of 2 (1 machine): about $12.40 a day more ($8.10 to $16.70).',
    ])
  })

  it('is empty without advice', () => {
    const sums = [{ term: 'min_gpus' as const, machines: 0, more_per_day: null }]
    expect(adviceSentences({ sums, advice: [] })).toEqual([])
  })

  it.each([
    ['num_gpus', 8, null, '8×'],
    ['min_gpus', 1, null, '1 GPU'],
    ['days_left', 0, 7, 'Less than 7 days'],
    ['days_left', 90, null, '90 days or more'],
    ['min_bid', 0.25, 0.5, '25 to 50\u00a0%'],
    ['min_bid', 0.75, null, '75\u00a0% or more'],
  ] as const)('names a group by %s from %s to %s', (term, from, to, words) => {
    expect(groupWords(term, { from, to })).toBe(words)
  })
})
