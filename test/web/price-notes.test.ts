import { expect, it } from 'vitest'
import { rentedWords, shareWords } from '../../web/desk/price-notes.tsx'

it('the price desk shows whose prices it has, and where the share is from', () => {
  const renter_price = 1.6
  const host_share = (basis: 'key' | 'fee', share = 0.75) => ({ share, basis, since: null })
  expect(shareWords({ renter_price, host_share: null })).toMatch(
    /^Prices are what renters pay\. If .* enter its fee/,
  )
  expect(shareWords({ renter_price, host_share: host_share('key') })).toBe(
    'Prices and incomes are your part: 75.0\u00a0% of what renters pay, as the marketplace shows to your key. Renters pay $1.60 for this machine. Charts of the market show what renters pay.',
  )
  expect(shareWords({ renter_price: null, host_share: host_share('fee') })).toContain(
    'assumed from the fee in your costs. Charts',
  )
  expect(shareWords({ renter_price, host_share: host_share('key', 1) })).toContain(
    'the marketplace keeps nothing',
  )
})

it('the price desk shows that a new price does not change the rentals of a rented machine', () => {
  const marketplace = {
    read_at: 0,
    listed: true,
    price: 1,
    min_bid: null,
    occupancy: 'D R R I',
    rented: { on_demand: 1, reserved: 2, interruptible: 1, free: 0, other: 0 },
    rented_until: null,
    earn_hour: null,
    earned: null,
  }
  const rented = { num_gpus: 4, rented_gpus: 4, marketplace }
  expect(rentedWords({ ...rented, rented_gpus: 3 })).toBeNull()
  expect(rentedWords({ ...rented, marketplace: null })).toMatch(
    /next rental, and does not change the present ones\.$/,
  )
  expect(rentedWords(rented)).toContain('A reserved contract keeps its price until it ends: 2 GPUs of it.')
  const until = Date.UTC(2026, 11, 3) / 1000
  expect(rentedWords({ ...rented, marketplace: { ...marketplace, rented_until: until, earn_hour: 2 } })).toBe(
    'All of its GPUs are rented: nothing changes until 3 Dec 2026, when the last contract ends. The recommended price is for listing it again then. A reserved contract keeps its price until it ends: 2 GPUs of it. It earns $0.500 per GPU-hour now. A higher price may be a request to the renters now. A rule makes none.',
  )
})
