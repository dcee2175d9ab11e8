import { describe, expect, it } from 'vitest'
import { awsSpot, offerOf } from '../../import/aws-spot.ts'
import { MappingError, mappedFormat } from '../../import/mapping.ts'
import { rentalOffersDaily } from '../../import/rental-offers.ts'
import { vastMachinePrices, vastOffers } from '../../import/vast.ts'

const least = 'slot=ts,machine_id=id,gpu_name=gpu,price=usd'
const row = { ts: '1670005166', id: '7', gpu: 'RTX_4090', usd: '0.4' }

describe('--map', () => {
  it('takes what is unknown as unknown, and unverified', () => {
    const format = mappedFormat(least, 'mine')
    expect([format.source, format.columns]).toEqual(['mine', ['ts', 'id', 'gpu', 'usd']])
    expect(format.observe(row)).toEqual({
      slot: 1_670_005_166,
      machine_id: 7,
      gpu_name: 'RTX 4090',
      num_gpus: 1,
      gpus: 1,
      rented: false,
      verified: false,
      hosting_type: 'unknown',
      price: '0.400000000',
      tflops: null,
      dlperf: null,
      host_id: null,
      country: '',
      gpu_ram: null,
      rental_type: 'unknown',
      min_gpus: null,
      terms: '',
      specs: '',
      tier: 'unknown',
    })
  })
  it('takes columns, values for all rows, and the price of the GPUs together', () => {
    const format = mappedFormat(
      'slot = ts, machine_id=id,gpu_name=:H100 SXM,num_gpus=n,gpus=free,price_total=usd,rented=r,verified=v,hosting_type=:secure_cloud,dlperf=d',
      'mine',
    )
    expect(format.columns).toEqual(['ts', 'id', 'n', 'free', 'usd', 'r', 'v', 'd'])
    expect(format.observe({ ...row, n: 8, free: 2, r: true, v: 'Verified', d: '345.4' })).toMatchObject({
      gpu_name: 'H100 SXM',
      num_gpus: 8,
      gpus: 2,
      price: '0.200000000',
      rented: true,
      verified: true,
      hosting_type: 'secure_cloud',
      dlperf: 345.4,
    })
  })
  it('counts any word but yes as unverified, and rejects any but yes and no for rented', () => {
    const format = mappedFormat(`${least},verified=v,rented=r`, 'mine')
    for (const v of ['deverified', 'unverified', 'no', '', null, false, 0])
      expect(format.observe({ ...row, v }).verified).toBe(false)
    for (const v of ['verified', 'YES', true, 1, '1'])
      expect(format.observe({ ...row, v }).verified).toBe(true)
    expect(() => format.observe({ ...row, r: 'perhaps' })).toThrow('rented is neither yes nor no: perhaps')
  })
  it('takes terms, and leaves out what they cannot be', () => {
    const format = mappedFormat(
      `${least},min_bid=bid,end_date=end,reliability=r,storage_cost=:0.1,inet_up_cost=up`,
      'mine',
    )
    const terms = (given: object) => format.observe({ ...row, ...given }).terms
    expect(terms({ bid: '0.125', end: 1_793_372_431.9, r: 1, up: 0 })).toBe(
      '[0.125,1793372431,null,1,0.1,0,null]',
    )
    for (const bid of [-1, 'none', '', null, true, 1e9, Number.NaN, '0x10', ' '])
      expect(terms({ bid, end: -5, r: 1.01, up: {} })).toBe('[null,null,null,null,0.1,null,null]')
    expect(mappedFormat(least, 'mine').observe({ ...row, bid: 1 }).terms).toBe('')
  })
  it('takes where a machine stands, whose it is, and how it is rented', () => {
    const format = mappedFormat(
      `${least},country=place,gpu_ram=ram,rental_type=type,min_gpus=:2,host_id=host`,
      'mine',
    )
    const observed = { place: 'California, US', ram: '24564', type: 'reserved', host: '12' }
    expect(format.observe({ ...row, ...observed })).toMatchObject({
      country: 'US',
      gpu_ram: 24564,
      rental_type: 'reserved',
      min_gpus: 2,
      host_id: 12,
    })
    for (const place of ['SE', 'Stockholm,SE', 'Stockholm, SE '])
      expect(format.observe({ ...row, ...observed, place }).country).toBe('SE')
    for (const place of ['', null, undefined])
      expect(format.observe({ ...row, ...observed, place }).country).toBe('')
    expect(() => format.observe({ ...row, ...observed, place: 'Sweden' })).toThrow(
      'country does not end with an ISO 3166 code: Sweden',
    )
    expect(() => format.observe({ ...row, ...observed, type: 'spot' })).toThrow('rental_type is none of')
  })
  it.each([
    ['', '--map: an empty part is not target=column or target=:value.'],
    ['slot', '--map: slot is not target=column or target=:value.'],
    ['slot=', '--map: slot= is not target=column or target=:value.'],
    ['colour=red', '--map: colour is not one of slot, machine_id'],
    [`${least},slot=x`, '--map: slot is given twice.'],
    ['slot=ts,price=usd', '--map: machine_id, gpu_name must be given.'],
    [`${least},price_total=usd`, '--map: either price or price_total must be given.'],
    ['slot=ts,machine_id=id,gpu_name=gpu', '--map: either price or price_total must be given.'],
  ])('%s is refused', (mapping, message) => {
    expect(() => mappedFormat(mapping, 'mine')).toThrow(message)
  })
  it('does not write under the name of the marketplace', () => {
    for (const source of ['market', 'simulated', '', 'a b', 'x'.repeat(65)])
      expect(() => mappedFormat(least, source)).toThrow(MappingError)
  })
})

describe('built-in formats', () => {
  it('aws-spot divides the price of the instance among its GPUs', () => {
    const offers = new Map([offerOf({ offer_id: '9', gpu_name: 'V100', num_gpus: '8' })])
    const { observe } = awsSpot(offers)
    expect(observe({ ts: '1670005166', offer_id: '9', spot_usd_hr: '7.3' })).toMatchObject({
      machine_id: 9,
      num_gpus: 8,
      gpus: 8,
      rented: false,
      verified: false,
      hosting_type: 'unknown',
      price: '0.912500000',
    })
    expect(() => observe({ ts: '1', offer_id: '10', spot_usd_hr: '1' })).toThrow('no offer_id 10')
  })
  it('vast-machine-prices takes what is available', () => {
    const fields = {
      ts: '1775000990',
      machine_id: '3969',
      gpu_name: 'Tesla P100',
      num_gpus: '2',
      price_usd_hr: '0.1637037037',
    }
    expect(vastMachinePrices.observe({ ...fields, available: '1' })).toMatchObject({
      gpus: 2,
      price: '0.081851852',
    })
    expect(() => vastMachinePrices.observe({ ...fields, available: '0' })).toThrow('not available')
  })
  it('vast-offers knows the rig behind a part of it', () => {
    const fields = {
      captured_at_utc: '2026-09-28T19:38:07.945616+00:00',
      list: 'ondemand',
      machine_id: 139047,
      gpu_name: 'RTX 4090',
      num_gpus: 2,
      gpu_frac: 0.14285714285714285,
      dph_base: 1.5999999999999999,
      total_flops: 162.791424,
      dlperf: 207.26763066556282,
      hosting_type: 1,
      verification: 'deverified',
      host_id: 381079,
      geolocation: 'California, US',
      gpu_ram: 24564,
      min_bid: 0.8,
      end_date: 1793372431.9,
      reliability2: 0.9993431,
      storage_cost: 0.19999999999999998,
      inet_up_cost: null,
      inet_down_cost: 0,
    }
    expect(vastOffers.observe(fields)).toEqual({
      slot: 1_790_624_287,
      machine_id: 139047,
      gpu_name: 'RTX 4090',
      num_gpus: 14,
      gpus: 2,
      rented: false,
      verified: false,
      hosting_type: 'secure_cloud',
      price: '0.800000000',
      tflops: 81.395712,
      dlperf: 103.63381533278141,
      host_id: 381079,
      country: 'US',
      gpu_ram: 24564,
      rental_type: 'on_demand',
      min_gpus: null,
      terms: '[0.4,1793372431,null,0.9993431,0.2,null,0]',
      specs: '',
      tier: 'deverified',
    })
    expect(() => vastOffers.observe({ ...fields, list: 'bid' })).toThrow('not a listed price')
    expect(() => vastOffers.observe({ ...fields, gpu_frac: 0 })).toThrow('gpu_frac')
    expect(() => vastOffers.observe({ ...fields, rented: true })).toThrow('not available')
  })
  it('rental-offers-daily keeps entries apart that differ in anything', () => {
    const fields = {
      ts: '1783292661',
      provider: 'lambda',
      gpu: 'rtx-a6000',
      vram_gb: '48',
      min_gpus: '',
      kind: 'secure',
      usd_gpu_hr: '1.09',
    }
    const observe = (changes: object) => rentalOffersDaily.observe({ ...fields, ...changes })
    expect(observe({})).toMatchObject({ gpu_name: 'RTX A6000', num_gpus: 1, hosting_type: 'secure_cloud' })
    expect(observe({ min_gpus: '8', kind: 'community' })).toMatchObject({
      num_gpus: 8,
      gpus: 8,
      hosting_type: 'community',
      price: '1.090000000',
    })
    const ids = [{}, { provider: 'x' }, { vram_gb: '' }, { kind: 'spot' }, { usd_gpu_hr: '1.1' }].map(
      (changes) => observe(changes).machine_id,
    )
    expect(new Set(ids).size).toBe(5)
    expect(observe({ ts: '1783300000' }).machine_id).toBe(ids[0])
    expect(() => observe({ kind: 'serverless' })).toThrow('serverless is not the rental of a machine')
  })
})
