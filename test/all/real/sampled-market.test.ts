import { expect, it } from 'vitest'
import { compareRates, openRecordedSweep } from '../../properties/recorded-sweep.ts'
import { expectTrueCounts, type SweptSlot } from '../../properties/sampled-market.ts'
import { openSampledMarket } from '../../sampled-market.ts'

const count = 200
const seeds = [1, 2]
const claimedFrom = 36

it('records 12,000 offers for 200 slots with true counts, rates, shares and rentals', async () => {
  const cells = { count: 0, held: 0, estimated: 0, happened: 0 }
  for (const seed of seeds) {
    const { rates, refused, slots } = await record(seed)
    expectTrueCounts(slots)
    expect(refused).toBe(0)
    for (const { cells: all, held, estimated, happened } of Object.values(rates)) {
      cells.count += all
      cells.held += held
      cells.estimated += estimated
      cells.happened += happened
      // A tenth of the time is not observed, and whole rigs of up to 8 GPUs are rented, so a single ratio has a standard error of 1.5 %.
      expect(Math.abs(estimated / happened - 1)).toBeLessThan(0.06)
    }
  }
  // Four ratios together have a standard error of 0.8 %, and 355 intervals of 1.2 %: 93 to 97 % hold.
  expect(Math.abs(cells.estimated / cells.happened - 1)).toBeLessThan(0.03)
  expect(cells.held / cells.count).toBeGreaterThan(0.92)
  expect(cells.held / cells.count).toBeLessThan(0.985)
}, 7_200_000)

async function record(seed: number) {
  const market = await openSampledMarket({ offers: 12_000, seed })
  const site = await openRecordedSweep(market)
  try {
    await site.readOfficial()
    const slots: SweptSlot[] = []
    while (slots.length < count) {
      slots.push(await site.take())
      if (slots.length % 12 === 0) await site.load()
      // The first sweep takes 24 slots. A machine must be known before it can be claimed.
      if (slots.length === claimedFrom) expect(await site.claim()).toMatchObject({ status: 200 })
      if (slots.length === count / 2) market.share = 0.8
      if (slots.length > claimedFrom) await site.readKeys()
    }
    await site.load()
    const rates = compareRates(await site.fills(), market.flows)
    print(slots, { seed, rates })
    const { rows } = await site.databases.postgres.query<{ share: number }>(
      'SELECT share::float FROM claim_shares',
    )
    expect(new Set(rows.map(({ share }) => share))).toEqual(new Set([0.75, 0.8]))
    // Both forms of the occupancy are understood.
    const rentals = (await site.machines()).map(
      ({ marketplace }) => marketplace as { rented: { other: number } },
    )
    expect(rentals.map(({ rented }) => rented.other)).toEqual(rentals.map(() => 0))
    return { slots, rates, refused: market.refused }
  } finally {
    market.close()
    await site.close()
  }
}

function print(slots: readonly SweptSlot[], more: object): void {
  const covered = slots.filter(({ coverage }) => coverage.age !== null)
  console.log(
    JSON.stringify({
      ...more,
      covered: covered.length,
      count: Math.max(...covered.map(({ machines, listed }) => Math.abs(machines / listed - 1))),
      rented: Math.max(...covered.map(({ rented, trulyRented }) => Math.abs(rented / trulyRented - 1))),
      age: Math.max(...covered.map(({ coverage }) => coverage.age ?? 0)),
      leavings: slots.reduce((sum, { falseLeavings }) => sum + falseLeavings, 0),
      shares: slots
        .filter((_, index) => index % 20 === 0)
        .map(({ coverage, found }) => [coverage.share, coverage.low, found]),
      searches: Math.max(...slots.map(({ searches }) => searches)),
    }),
  )
}
