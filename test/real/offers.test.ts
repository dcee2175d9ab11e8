import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OffersAnswer } from '../../contract/offers.ts'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

const slot = 1_795_000_200
const day = 86_400
let server: TestServer
let renter: string

beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await server.clock.hold(slot - 7 * day + 30)
  await smallMarket(server.postgres, 60)
  renter = (await createKeyFor(server.postgres, { role: 'user' })).key
})
afterAll(() => server?.close())

async function offers(): Promise<OffersAnswer> {
  const { status, body } = await server.get('/api/v0/metrics/gpu/offers', renter)
  expect(status).toBe(200)
  return body
}

async function take(at: number): Promise<void> {
  await server.clock.hold(at + 30)
  await capture(server.postgres, at)
  await loadAll(server)
}

it('an empty market has no offers', async () => {
  expect(await offers()).toEqual({ success: true, needs_machine: false, slot: null, gpus: [] })
})

it('a market with one snapshot has prices without a change', async () => {
  await take(slot - 7 * day)
  const { gpus } = await offers()
  expect(gpus.map(({ gpu_name }) => gpu_name).sort()).toEqual(['H100 SXM', 'RTX 3090', 'RTX 4090'])
  for (const { change_1d, change_7d, price_median } of gpus)
    expect([change_1d, change_7d, price_median]).toEqual([null, null, expect.any(Number)])
})

it('a renter sees the free GPUs, their prices and changes as hosts do', async () => {
  await server.postgres.query('UPDATE gpu_listings SET price = price * 1.25')
  await take(slot - day)
  await server.postgres.query('UPDATE gpu_listings SET price = price * 2')
  await take(slot)
  const answer = await offers()
  expect(answer.slot).toBe(slot)
  const { body: current } = await server.get('/api/v0/metrics/gpu/current?verified=all')
  const { body: depth } = await server.get('/api/v0/metrics/gpu/depth?gpu_name=all&verified=all')
  const rows = (current as { gpus: Record<string, number>[] }).gpus
  const books = (depth as { gpus: Record<string, { price: number[]; available: number[] }> }).gpus
  expect(answer.gpus.length).toBe(rows.length)
  for (const gpu of answer.gpus) {
    const row = rows.find(({ gpu_name }) => String(gpu_name) === gpu.gpu_name)
    const book = books[gpu.gpu_name]
    expect(gpu).toMatchObject({
      free_gpus: row?.available_gpus,
      price_median: row?.price_median,
      price_thin: row?.price_thin,
      offers: book?.price.slice(0, 5).map((price, index) => ({ price, gpus: book.available[index] })),
    })
    expect(gpu.change_1d).toBeCloseTo(1, 6)
    expect(gpu.change_7d).toBeCloseTo(1.5, 6)
    // The days without a snapshot have no price, and the step of the newest one is not over.
    expect(gpu.course.length).toBeGreaterThan(25)
    expect(gpu.course.filter((price) => price !== null).length).toBe(1)
  }
})

it('nothing about rented GPUs is in the answer', async () => {
  const { gpus } = await offers()
  for (const gpu of gpus)
    expect(Object.keys(gpu).sort()).toEqual([
      'change_1d',
      'change_7d',
      'course',
      'free_gpus',
      'gpu_name',
      'offers',
      'price_median',
      'price_thin',
    ])
})
