import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterOf, filtersFrom } from '../../contract/market-filter.ts'
import { marketPath } from '../../web/api/history.ts'
import { readView, type View, writeView } from '../../web/view.ts'

const names = fc.uniqueArray(fc.stringMatching(/^[A-Z][A-Za-z0-9 .+()/-]{0,20}$/), { maxLength: 5 })
const views: fc.Arbitrary<View> = fc
  .record({
    layout: fc.constantFrom('one', 'compare', 'grid'),
    metric: fc.constantFrom('price', 'supply', 'occupancy', 'value'),
    side: fc.constantFrom('available', 'rented'),
    unit: fc.constantFrom('gpus', 'machines'),
    score: fc.constantFrom('dlperf', 'tflops'),
    verified: fc.constantFrom('yes', 'no', 'all', 'unverified', 'deverified'),
    hosting_type: fc.constantFrom('all', 'secure_cloud', 'community'),
    range: fc.constantFrom('7d', '24h', '30d', '90d', '1y', 'all', 'custom'),
    mine: fc.constantFrom('yes', 'no'),
    zone: fc.constantFrom('local', 'utc'),
    axis: fc.constantFrom('usd', 'percent'),
    before: fc.constantFrom('no', 'yes', 'week'),
    tab: fc.constantFrom('market', 'book', 'forecast'),
    together: fc.constantFrom('yes', 'no'),
    need: fc.integer({ min: 1, max: 1_000_000 }),
    most: fc.constantFrom('', '2.5', '0.000001', '999999'),
    sort: fc.constantFrom('-gpus', 'name', '-rented'),
    find: fc.string({ maxLength: 10 }),
    show: fc.constantFrom('all', 'idle', 'rented', 'dear', 'cheap', 'unlisted'),
    rows: fc.constantFrom('machines', 'classes'),
    period: fc.constantFrom('week', 'day', 'month'),
    by: fc.constantFrom('country', 'region'),
    rank: fc.constantFrom('net', 'payback', 'watt'),
    days: fc.constantFrom('30', '90'),
    rigs: fc.constantFrom('best', 'all'),
    buy: fc.constantFrom('', 'rtx 4090:1650', 'h200:31000.5,rtx 4090:1650'),
    page: fc.integer({ min: 1, max: 200 }),
    machine: fc.nat(2_147_483_647),
    price: fc.constantFrom('', '2.5', '0.000001', '1000000'),
    gpus: names,
    focus: fc.constantFrom('', 'RTX 4090'),
    num_gpus: fc.constantFrom('all', '1', '8'),
    gpu_memory: fc.constantFrom('all', '40', '80'),
    from: fc.nat(1_000_000_000),
    to: fc.integer({ min: 1_000_000_001, max: 2_000_000_000 }),
    step: fc.constantFrom(0, 300, 86_400),
    hidden: names,
    cols: names,
  } as const)
  .map((view) => (view.range === 'custom' ? view : { ...view, from: 0, to: 0 }))

describe('the address of a view', () => {
  it('holds all of it', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(readView(writeView(view))).toEqual(view)
      }),
    )
  })

  it('is empty for what one sees first', () => {
    expect(writeView(readView(''))).toBe('')
  })

  it.each([
    'range=custom&from=9&to=3',
    'range=nonsense&layout=x&step=-1&num_gpus=x&from=a',
    'gpu=,,&hidden=,',
    'step=1e9&to=99999999999999',
  ])('ignores invalid parts (%s)', (search) => {
    expect(writeView(readView(search))).toBe('')
  })
})

it('a tier of hosts in the address of the page is the tier in a request, and in a shared chart', () => {
  const filters = filterOf(readView('verified=deverified'))
  const asked = marketPath('current', filters, 0)
  expect(asked).toBe(
    'api/v0/metrics/gpu/current?hosting_type=all&num_gpus=all&gpu_memory=all&tier=deverified',
  )
  expect(filtersFrom(new URLSearchParams(asked.split('?')[1]))).toEqual(filters)
})
