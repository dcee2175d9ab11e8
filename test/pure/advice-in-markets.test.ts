import { expect, it } from 'vitest'
import { adviseMarket } from '../../bench/advice-in-markets.ts'
import { trueOccupancy } from '../../bench/true-occupancy.ts'

it('occupancy of a rig follows from its chain of contracts, of one GPU from both rates', () => {
  for (const rate of [0.1, 0.9, 5]) {
    expect(trueOccupancy(1, rate)).toBeCloseTo(rate / (rate + 0.9), 2)
    expect(trueOccupancy(8, rate)).toBeGreaterThan(0)
    expect(trueOccupancy(8, rate)).toBeLessThan(1)
  }
})

it('advice in a simulated market is right in at least nine of ten machines after a day', {
  timeout: 300_000,
}, async () => {
  const { past: judged } = await adviseMarket('rank', { seed: 11, size: 150, ages: [1] })
  const changed = judged.filter(
    ({ decision }) => decision.verdict === 'raise' || decision.verdict === 'lower',
  )
  expect(changed.length).toBeGreaterThan(20)
  expect(changed.filter(({ trueGain }) => trueGain > 0).length / changed.length).toBeGreaterThan(0.9)
  // A small market has GPU types of one machine, without a price to compare with.
  expect(judged.filter(({ decision }) => decision.obstacle === 'unsure').length).toBeLessThan(
    0.05 * judged.length,
  )
})
