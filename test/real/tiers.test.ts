import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource } from '../../collect/site-source.ts'
import type { depthAnswer } from '../../contract/depth.ts'
import type { fillByTermsAnswer } from '../../contract/fill-by-terms.ts'
import type { placesAnswer } from '../../contract/places.ts'
import type { tiersAnswer } from '../../contract/tiers.ts'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { smallMarket } from '../market.ts'
import { openSampledMarket } from '../sampled-market.ts'
import { startServer, type TestServer } from '../server.ts'

const slot = 1_795_000_200
let own: TestServer
let outside: TestServer
let marketplace: Awaited<ReturnType<typeof openSampledMarket>>
beforeAll(async () => {
  own = await startServer()
  outside = await startServer()
  marketplace = await openSampledMarket({ offers: 800, mode: 'all' })
  for (const server of [own, outside]) await server.clock.hold(slot + 30)
  await smallMarket(own.postgres, 60)
  await capture(own.postgres, slot)
  await loadAll(own)
  const source = openSource(`vast=${marketplace.url}`, {})
  await keepToSource(outside.postgres, source)
  await collect(outside, source, { slot, interval: 300 })
  await loadAll(outside)
})
afterAll(async () => {
  marketplace?.close()
  await own?.close()
  await outside?.close()
})

interface Recorded {
  tier: string
  machines: number
  gpus: number
  rented: number
}
const recorded = ({ clickhouse }: TestServer) =>
  selectRows<Recorded>(
    clickhouse,
    `SELECT tier, toUInt32(sum(o.machines)) AS machines, toUInt32(sum(o.gpus)) AS gpus, toUInt32(sumIf(o.gpus, o.rented)) AS rented
     FROM observations AS o GROUP BY tier ORDER BY tier`,
  )
const ask = async (server: TestServer, query = '') => {
  const { status, body } = await server.get(
    `/api/v0/metrics/gpu/tiers?gpu_name=all&start=${slot - 3600}${query}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as z.infer<typeof tiersAnswer>).gpus
}

it('a snapshot of the own market records the verification of each machine', async () => {
  const { rows } = await own.postgres.query<{ tier: string; machines: number }>(
    `SELECT verification AS tier, count(*)::int AS machines FROM machines
     WHERE id IN (SELECT (json_array_elements_text(('[' || replace(rows, E'\\n', ',') || ']')::json)::json ->> 1)::int FROM spool) GROUP BY 1`,
  )
  const found = Object.fromEntries((await recorded(own)).map(({ tier, machines }) => [tier, machines]))
  expect(found).toEqual(Object.fromEntries(rows.map(({ tier, machines }) => [tier, machines])))
  expect(Object.keys(found)).toEqual(['verified', 'unverified', 'deverified'])
})

it('a source records the tiers of its offers', async () => {
  const offers = new Map(
    marketplace.offers().map(({ machine_id, verification }) => [machine_id, verification]),
  )
  const expected: Record<string, number> = {}
  for (const tier of offers.values()) expected[tier] = (expected[tier] ?? 0) + 1
  const found = Object.fromEntries((await recorded(outside)).map(({ tier, machines }) => [tier, machines]))
  expect(found).toEqual(expected)
})

it('compares the tiers of a GPU type, with the premium over verified machines', async () => {
  const all = Object.values(await ask(outside)).flat()
  const sum = (tier: string, figure: 'machines' | 'gpus' | 'rented_gpus') =>
    all.filter((one) => one.tier === tier).reduce((total, one) => total + (one[figure] ?? 0), 0)
  for (const { tier, machines, gpus, rented } of await recorded(outside))
    expect([sum(tier, 'machines'), sum(tier, 'gpus'), sum(tier, 'rented_gpus')]).toEqual([
      machines,
      gpus,
      rented,
    ])
  for (const figures of Object.values(await ask(outside))) {
    const verified = figures.find(({ tier }) => tier === 'verified')
    for (const { premium, avail_median, occupancy, rented_gpus, gpus, rented_median } of figures) {
      expect(occupancy).toBeCloseTo((rented_gpus ?? 0) / gpus)
      expect(rented_median === null).toBe(rented_gpus === 0)
      if (verified?.avail_median && avail_median !== null)
        expect(premium).toBeCloseTo(avail_median / verified.avail_median - 1)
      else expect(premium).toBeNull()
    }
  }
  const few = await ask(outside, '&num_gpus=8')
  expect(Object.values(few).flat().length).toBeLessThan(all.length)
})

it('shows no contract prices by tier in the own market, and refuses a range of 32 days', async () => {
  expect(
    Object.values(await ask(own))
      .flat()
      .every(({ rented_median }) => rented_median === null),
  ).toBe(true)
  const { status, body } = await own.get(`/api/v0/metrics/gpu/tiers?start=${slot - 32 * 86_400}`)
  expect([status, body]).toMatchObject([400, { msg: 'The range must not be longer than 31 days' }])
})

const sumOf = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const get = async <Body>(server: TestServer, path: string) => {
  const { status, body } = await server.get(`/api/v0/metrics/gpu/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Body
}

it('the order book and places of a tier have the machines of this tier', async () => {
  for (const { tier, gpus, machines } of await recorded(outside)) {
    const depth = await get<z.infer<typeof depthAnswer>>(outside, `depth?gpu_name=all&tier=${tier}`)
    const books = Object.values(depth.gpus)
    const counted = books.map(({ available, rented }) => sumOf(available) + sumOf(rented.gpus))
    expect(sumOf(counted), tier).toBe(gpus)
    const { places } = await get<z.infer<typeof placesAnswer>>(outside, `places?tier=${tier}`)
    expect(sumOf(places.map((place) => place.machines)), tier).toBe(machines)
  }
})

it('the order book of a tier hides contract prices of the own market, of one slot and of days', async () => {
  const depth = await get<z.infer<typeof depthAnswer>>(own, 'depth?gpu_name=all&tier=verified')
  const rented = Object.values(depth.gpus).map((book) => book.rented)
  expect(sumOf(rented.map(({ unpriced }) => unpriced))).toBeGreaterThan(0)
  expect(rented.flatMap(({ price }) => price)).toEqual([])
  const { places } = await get<z.infer<typeof placesAnswer>>(own, 'places?gpu_name=RTX+4090&tier=verified')
  expect(places.every(({ rented_median }) => rented_median === null)).toBe(true)
  const days = await get<z.infer<typeof depthAnswer>>(own, 'depth?gpu_name=all&tier=verified&days=1')
  expect(Object.values(days.gpus).flatMap(({ rented: { price } }) => price)).toEqual([])
})

it('waits and rates by terms of a tier are of its machines', async () => {
  const range = `gpu_name=GPU+1&start=${slot - 3600}&end=${slot + 3600}`
  const found = await get<z.infer<typeof fillByTermsAnswer>>(
    outside,
    `fill-by-terms?${range}&tier=deverified`,
  )
  expect(found.gpus['GPU 1']?.tiers.every(({ tier }) => tier === 'deverified')).toBe(true)
  await get(outside, `time-to-rent?${range}&tier=deverified`)
  const { status } = await outside.get(`/api/v0/metrics/gpu/time-to-rent?${range}&tier=best`)
  expect(status).toBe(400)
})
