import { expect, it } from 'vitest'
import { expectTrueCounts, sweepSlots } from '../../properties/sampled-market.ts'
import { openSampledMarket } from '../../sampled-market.ts'

it('sweeps 12,000 offers for 200 slots, to the true counts and without false leavings', async () => {
  const market = await openSampledMarket({ offers: 12_000 })
  try {
    const slots = await sweepSlots(market, 200)
    const covered = slots.filter(({ coverage }) => coverage.age !== null)
    console.log(
      JSON.stringify({
        covered: covered.length,
        count: Math.max(...covered.map(({ machines, listed }) => Math.abs(machines / listed - 1))),
        rented: Math.max(...covered.map(({ rented, trulyRented }) => Math.abs(rented / trulyRented - 1))),
        age: Math.max(...covered.map(({ coverage }) => coverage.age ?? 0)),
        leavings: slots.reduce((sum, { falseLeavings }) => sum + falseLeavings, 0),
        shares: slots
          .filter((_, index) => index % 20 === 0)
          .map(({ coverage, found }) => [coverage.share, coverage.low, found]),
        searches: Math.max(...slots.map(({ searches }) => searches)),
        refused: market.refused,
      }),
    )
    expectTrueCounts(slots)
    expect(market.refused).toBe(0)
  } finally {
    market.close()
  }
}, 3_600_000)
