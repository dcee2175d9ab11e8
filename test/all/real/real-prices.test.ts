import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PriceIndex } from '../../../contract/price-index.ts'
import { check, seriesRange } from '../../../ingest/check.ts'
import { publishDays } from '../../../ingest/publish-days.ts'
import { addSeen, day } from '../../daily-market.ts'
import { realData } from '../../data.ts'
import { expectedChurn } from '../../oracle/churn.ts'
import { expectedDispersion } from '../../oracle/events.ts'
import type { MachineAtSlot } from '../../oracle/history.ts'
import { expectedDepth } from '../../oracle/market.ts'
import { expectedIndex } from '../../oracle/price-index.ts'
import { startServer, type TestServer } from '../../server.ts'

const near = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? null : expect.closeTo(value, 9)))

const dir = realData()
describe.skipIf(!dir)('five weeks of real prices', () => {
  const names = ['T4', 'V100', 'K80']
  let real: TestServer
  let seen: MachineAtSlot[]
  let range: { from: number; to: number }
  beforeAll(async () => {
    if (!dir) return
    real = await startServer({ seriesMaxAgeMs: 0 })
    seen = realOffers(dir, 35)
    await addSeen(real, seen)
    await publishDays(real)
    const dayOf = (slot: number) => slot - (slot % day)
    range = { from: dayOf(seen[0]?.slot ?? 0), to: dayOf(seen.at(-1)?.slot ?? 0) + day }
  }, 240_000)
  afterAll(() => real?.close())

  const market = async (endpoint: string, query: string) => {
    const path = `/api/v0/metrics/gpu/${endpoint}?gpu_name=${names.join()}&${query}`
    const { status, body } = await real.get(path)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { gpus: Record<string, never>; slot?: number }
  }
  const index = async (query: string) => {
    const { status, body } = await real.get(`/api/v0/metrics/gpu/index?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { market: PriceIndex | null; gpus: Record<string, PriceIndex> }
  }
  const nearAll = (value: unknown): unknown => {
    if (typeof value === 'number') return expect.closeTo(value, 9)
    if (Array.isArray(value)) return value.map(nearAll)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nearAll(inner)]))
  }

  it('the index of each GPU name, and of the market, equals the plain definition', async () => {
    const { market } = await index(`market=true&start=0&end=${range.to}`)
    const { gpus } = await index(`gpu_name=${names.join()}&start=0&end=${range.to}`)
    expect(await check(real, await seriesRange(real.clickhouse))).toMatchObject({ problems: [] })
    for (const [gpu, found] of [...Object.entries(gpus), [undefined, market] as const]) {
      const { level, ln_link, machines } = expectedIndex(seen, gpu)
      expect(found, gpu).toMatchObject({ level: near(level), ln_link: near(ln_link), machines })
      expect(ln_link.filter((link) => link !== null).length).toBeGreaterThan(25)
    }
  }, 240_000)

  it('churn and dispersion equal the plain definition', async () => {
    const asked = `start=${range.from}&end=${range.to}`
    const churn = await market('churn', asked)
    const dispersion = await market('dispersion', `${asked}&step=${day}&verified=all`)
    for (const gpu of names) {
      const own = expectedChurn(seen, gpu, range)
      expect(churn.gpus[gpu], gpu).toEqual(nearAll(own))
      expect(own.machines.every((machines) => machines > 10)).toBe(true)
      const expected = expectedDispersion(seen, { gpu, ...range, step: day })
      expect(dispersion.gpus[gpu], gpu).toEqual(nearAll(expected))
      expect(expected.dispersion.every((value) => value !== null && value > 0)).toBe(true)
      // Snapshots are hours apart, so that hours between them have no median. It is not bridged.
      expect(expected.volatility_24h.every((value) => value === null)).toBe(true)
    }
  }, 120_000)

  it('the book at any time equals the plain definition', async () => {
    for (const days of [1, 8, 20, 34]) {
      const at = range.from + days * day
      const slot = seen.reduce((newest, one) => (one.slot <= at ? Math.max(newest, one.slot) : newest), 0)
      const { gpus, slot: found } = await market('depth', `at=${at}&verified=all&gpus=40`)
      expect(found).toBe(slot)
      for (const gpu of names) {
        const filter = { gpu, verified: 'all', hosting: 'all', rig: 'all' } as const
        const book = expectedDepth(seen, slot, filter, { wanted: 40, perMachine: 1, isOwn: false })
        expect(gpus[gpu], gpu).toEqual(nearAll(book))
        expect(book.price.length).toBeGreaterThan(5)
        expect(book.cheapest).not.toBeNull()
      }
    }
  })

  it('fill rates are null, with the reason: nothing is known of rentals', async () => {
    const { gpus } = await market('fill', `start=${range.from}&end=${range.to}&verified=all`)
    const rate = { value: null, low: null, high: null }
    for (const gpu of names)
      expect(gpus[gpu], gpu).toMatchObject({
        returns: 0,
        return_rate: rate,
        reason: 'little_exposure',
        all: { rentals: 0, fill_rate: rate, hours_to_rent: null, occupancy: null, reason: 'little_exposure' },
      })
  })
})

/** The offers of the first days of the history of AWS, each an available machine. */
function realOffers(from: string, days: number): MachineAtSlot[] {
  const rows = (file: string) =>
    gunzipSync(readFileSync(join(from, file)))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
  const offers = new Map(
    rows('aws_gpu_offers.csv.gz').map(([id, , , gpu = '', gpus]) => [id, { gpu, rig: Number(gpus) }]),
  )
  const history = rows('aws_gpu_spot_history.csv.gz')
  const until = Number(history[0]?.[0]) + days * day
  return history.flatMap(([ts, id, usd]): MachineAtSlot[] => {
    const offer = offers.get(id)
    if (!offer || Number(ts) >= until) return []
    const price = Math.round((Number(usd) / offer.rig) * 1e9) / 1e9
    const { rig } = offer
    return [
      {
        slot: Number(ts),
        machine: Number(id),
        ...offer,
        free: rig,
        price,
        rented: [],
        verified: false,
        hosting: 'community',
        tflops: 1,
        dlperf: 1,
      },
    ]
  })
}
