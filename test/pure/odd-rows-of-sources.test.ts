import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../cli/system-clock.ts'
import type { CollectedMarket } from '../../collect/market.ts'
import { openSource } from '../../collect/open-source.ts'
import { openStandIn, rigsAt, type StandIn } from '../stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())
beforeEach(() => {
  Object.assign(standIn, { rigs: rigsAt(40), fault: undefined })
})

async function marketOf(text: string): Promise<CollectedMarket> {
  const pause = () => Promise.resolve()
  const answer = await openSource(text, { pause }).fetchMarket({
    slot: 1_795_000_200,
    interval: 300,
    clock: systemClock,
    validators: undefined,
    signal: new AbortController().signal,
  })
  if (answer.unchanged) throw new Error('The source has a market')
  return answer.market
}

type Fields = Record<string, unknown>

/** Changes the offers of the next answers. */
function changeOffers(change: (offer: Fields) => Fields): void {
  standIn.fault = (response, body) => {
    const document = JSON.parse(body)
    return Boolean(response.end(JSON.stringify({ ...document, offers: document.offers.map(change) })))
  }
}

describe('odd rows', () => {
  it.each<[name: string, odd: Fields, reason: RegExp]>([
    ['a price of 0', { dph_base: 0 }, /not above zero/],
    ['a negative price', { dph_base: -1 }, /not a price/],
    ['a price that is text', { dph_base: 'free' }, /not a price/],
    ['no price', { dph_base: null }, /price|dph_base/],
    ['a price of a billion', { dph_base: 1e9 }, /dph_base is 100000 USD/],
    ['half a GPU', { num_gpus: 0.5, num_gpus_rented: 0 }, /num_gpus/],
    ['no GPUs', { num_gpus: 0, num_gpus_rented: 0 }, /num_gpus/],
    ['more rented GPUs than GPUs', { num_gpus_rented: 9 }, /num_gpus_rented is larger/],
    ['a negative number of rented GPUs', { num_gpus_rented: -1 }, /num_gpus_rented/],
    ['no name', { gpu_name: '' }, /gpu_name/],
    ['a name that is a list', { gpu_name: ['RTX 4090'] }, /gpu_name/],
    ['a name with a NUL', { gpu_name: 'RTX\0 4090' }, /gpu_name/],
    ['no owner', { host_id: null }, /host_id/],
    ['no id', { machine_id: null }, /machine_id/],
  ])('an exporter row with %s is named in the list, and the others count', async (_name, odd, reason) => {
    changeOffers((offer) => (offer.machine_id === 1003 ? { ...offer, ...odd } : offer))
    const market = await marketOf(`exporter=${standIn.url}`)
    expect(market).toMatchObject({ machines: 39, rejected: 1 })
    expect(market.leftOut).toEqual([{ place: 'row 4', reason: expect.stringMatching(reason) }])
    expect(Object.values(market.reasons)).toEqual([1])
  })

  it.each<[name: string, odd: Fields, reason: RegExp]>([
    ['no state', { rentable: null }, /rentable is neither true nor false/],
    ['a state that is text', { rentable: 'yes' }, /rentable is neither true nor false/],
    ['no list of GPUs', { gpu_ids: [] }, /gpu_ids is not a list/],
    ['GPUs that are a number', { gpu_ids: 4 }, /gpu_ids is not a list/],
    ['no GPUs', { num_gpus: 0 }, /num_gpus/],
    ['half a GPU', { num_gpus: 0.25 }, /num_gpus/],
    ['no share of its machine', { gpu_frac: 'all' }, /gpu_frac/],
    ['no owner', { host_id: null }, /host_id/],
    ['an id of 0', { id: 0 }, /id is 0/],
    ['an id that is text', { id: 'x' }, /id is not/],
  ])('an offer of a search with %s is named, whose machine counts', async (_name, odd, reason) => {
    // The first half of machine 1003, which has eight GPUs.
    changeOffers((offer) => (offer.id === 100_301 ? { ...offer, ...odd } : offer))
    const market = await marketOf(`vast=${standIn.url}`)
    expect(market).toMatchObject({ machines: 40, rejected: 0 })
    const place = `offer ${JSON.stringify(odd.id ?? 100_301)}`
    expect(market.leftOut).toEqual([{ place, reason: expect.stringMatching(reason) }])
  })

  it.each<[name: string, column: string, value: string, reason: RegExp]>([
    ['a price of 0', 'price', '0', /price is not above zero/],
    ['a price with a comma', 'price', '"0,45"', /price is not a price/],
    ['a price with a currency', 'price', '$0.45', /price is not a price/],
    ['a price that is no number', 'price', 'NaN', /price is not a price/],
    ['an endless price', 'price', 'inf', /price is not a price/],
    ['no price', 'price', '', /price/],
    ['half a GPU', 'num_gpus', '0.5', /num_gpus/],
    ['no name', 'gpu_name', '', /gpu_name/],
    ['a state that is no state', 'rented', 'maybe', /rented/],
    ['a negative number of GPUs', 'num_gpus', '-2', /num_gpus/],
    ['no id', 'machine_id', '', /machine_id/],
  ])(
    'a file row with %s is named by its line, and the others count',
    async (_name, column, value, reason) => {
      const fields = ['machine_id', 'gpu_name', 'num_gpus', 'price', 'rented', 'verified']
      const good = (id: number) => [`${id}`, 'RTX 4090', '2', '0.4', 'no', 'yes']
      const odd = good(1).map((given, index) => (fields[index] === column ? value : given))
      const lines = Array.from({ length: 40 }, (_, index) => good(1000 + index))
      const text = [fields, odd, ...lines].map((cells) => `${cells.join()}\n`).join('')
      standIn.fault = (response) => Boolean(response.end(text))
      const market = await marketOf(`file=${standIn.url}/list.csv`)
      expect(market).toMatchObject({ machines: 40, rejected: 1 })
      expect(market.leftOut).toEqual([{ place: 'line 2', reason: expect.stringMatching(reason) }])
    },
  )
})

it('many odd rows are counted, and the first ten are shown', async () => {
  changeOffers((offer) => (String(offer.id).endsWith('00') ? offer : { ...offer, rentable: 0 }))
  const market = await marketOf(`vast=${standIn.url}`)
  const [count = 0] = Object.values(market.reasons)
  expect(market.machines).toBe(40)
  expect(count).toBeGreaterThan(10)
  expect(market.leftOut).toHaveLength(10)
})
