import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GpuForecast } from '../../contract/forecast.ts'
import { forecastValue } from '../../estimates/forecast.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { storeForecasts } from '../../src/market/forecast/stored.ts'
import { addSeen } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const hours = 480

/** Two machines of one class, recorded once an hour: one is rented at times, and both change their prices. */
const seen: MachineAtSlot[] = Array.from({ length: hours }, (_, hour) =>
  [1, 2].map((machine) => {
    const taken = machine === 1 && Math.floor(hour / 9) % 3 === 0 ? 2 : 0
    const price = Math.round(100 * (0.4 + 0.1 * Math.sin(hour / 17 + machine))) / 100
    return {
      slot: start + hour * 3600 + 600,
      machine,
      gpu: 'RTX 4090',
      rig: 4,
      price,
      free: 4 - taken,
      rented: taken > 0 ? [{ gpus: taken, price }] : [],
      verified: true,
      tflops: 1,
      dlperf: 1,
      hosting: 'community' as const,
    }
  }),
).flat()

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await loadAll(server)
  // Forty hours land after a forecast was kept.
  const early = start + 440 * 3600
  await addSeen(
    server,
    seen.filter(({ slot }) => slot < early),
  )
  for (const now of [early + 10_000, early, early]) kept.push(await storeForecasts(at(now)))
  await addSeen(
    server,
    seen.filter(({ slot }) => slot >= early),
    'later',
  )
})
const kept: number[] = []
const at = (now: number) => ({ ...server, clock: { now: () => now } })
afterAll(() => server?.close())

const ask = async (query: string) => {
  const { status, body } = await server.get(`/api/v0/metrics/gpu/forecast?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { gpus: Record<string, GpuForecast> }).gpus
}

it('forecasts what the history answers, from its whole hours', async () => {
  const { 'RTX 4090': found } = await ask('gpu_name=RTX_4090')
  const end = start + (hours - 1) * 3600
  const { body } = await server.get(
    `/api/v0/metrics/gpu/history?gpu_name=RTX_4090&start=${start}&end=${end}&step=3600`,
  )
  const { pricing } = (body as { gpus: Record<string, { pricing: Record<string, (number | null)[]> }> }).gpus[
    'RTX 4090'
  ] ?? { pricing: {} }
  for (const measure of ['avail_median', 'rented_median'] as const) {
    const values = pricing[measure] ?? []
    expect(values).toHaveLength(hours - 1)
    for (const [index, horizon] of [24, 168].entries()) {
      const { forecast, record } = forecastValue(values, horizon, { least: 0, most: 100 })
      expect(found?.[measure][index]).toEqual({
        hours: horizon,
        at: end + (horizon - 1) * 3600,
        now: values.at(-1),
        value: forecast && expect.closeTo(forecast.value, 9),
        low: forecast && expect.closeTo(forecast.low, 9),
        high: forecast && expect.closeTo(forecast.high, 9),
        record: {
          forecasts: record.forecasts,
          coverage: record.coverage && expect.closeTo(record.coverage, 9),
          error_ratio: record.error_ratio && expect.closeTo(record.error_ratio, 9),
        },
        kept: expect.objectContaining({ forecasts: expect.any(Number) }),
      })
    }
  }
  expect(found?.avail_median[0]?.value).toEqual(expect.any(Number))
  expect(found?.occupancy[0]).toMatchObject({ now: 0, low: 0 })
  expect(found?.occupancy[0]?.record.forecasts).toBeGreaterThan(100)
})

/** The number at the one slot of an hour. */
const availableAt = (hour: number, most: number) =>
  seen
    .filter(({ slot, price }) => slot === start + hour * 3600 + 600 && price <= most)
    .reduce((sum, { free }) => sum + free, 0)

it('forecasts the GPUs available at a price or less, and the probability of enough', async () => {
  const counts = Array.from({ length: hours - 1 }, (_, hour) => availableAt(hour, 0.4))
  const asked = (await ask('gpu_name=RTX_4090&gpus=3&price=0.4'))['RTX 4090']?.available
  expect(asked).toMatchObject({ gpus: 3, price: 0.4 })
  for (const [index, horizon] of [24, 168].entries()) {
    const { forecast, record } = forecastValue(counts, horizon, {
      least: 0,
      most: Number.POSITIVE_INFINITY,
      wanted: 3,
    })
    expect(asked?.figures[index]).toMatchObject({ now: counts.at(-1), ...forecast, record })
  }
  expect(asked?.figures[0]?.probability).toBeGreaterThan(0)
  expect(asked?.figures[0]?.record.forecasts).toBeGreaterThan(100)
  // The default is 8 GPUs at the median price.
  const usual = (await ask('gpu_name=RTX_4090'))['RTX 4090']
  expect(usual?.available).toMatchObject({ gpus: 8, price: usual?.avail_median[0]?.now })
})

it('stores each forecast once, and scores it', async () => {
  // The first call comes after the hour and stores nothing. The second stores the name twice (verified, and all). The third finds both stored.
  expect(kept).toEqual([0, 2, 0])
  const { rows } = await server.postgres.query(
    `SELECT verified, measure, horizon, extract(epoch FROM known_until)::int AS known_until, now, value, low, high, price, gpus, probability
     FROM forecasts ORDER BY measure, verified, horizon`,
  )
  expect(new Set(rows.map(({ known_until }) => known_until))).toEqual(new Set([start + 439 * 3600]))
  const { 'RTX 4090': found } = await ask('gpu_name=RTX_4090')
  for (const measure of ['avail_median', 'occupancy'] as const) {
    const one = rows.find((row) => row.measure === measure && row.verified === 'yes' && row.horizon === 24)
    const [now, outcome] = [438, 462].map((hour) => figureAt(measure, hour))
    expect(one?.now).toBeCloseTo(now ?? Number.NaN, 9)
    expect(found?.[measure][0]?.kept).toEqual({
      forecasts: 1,
      coverage: one.low <= (outcome ?? 0) && (outcome ?? 0) <= one.high ? 1 : 0,
      error_ratio:
        outcome === now
          ? null
          : expect.closeTo(Math.abs((outcome ?? 0) - one.value) / Math.abs((outcome ?? 0) - (now ?? 0)), 6),
    })
    expect(found?.[measure][1]?.kept).toEqual(nothingKnown)
  }
  const one = rows.find((row) => row.measure === 'available' && row.verified === 'yes' && row.horizon === 24)
  expect(one).toMatchObject({
    gpus: 8,
    price: figureAt('avail_median', 438),
    now: availableAt(438, one.price),
    probability: expect.any(Number),
  })
  const [now, then] = [one.now, availableAt(462, one.price)]
  expect(found?.available.figures[0]?.kept).toEqual({
    forecasts: 1,
    probability: one.probability,
    met: then >= 8 ? 1 : 0,
    coverage: one.low <= then && then <= one.high ? 1 : 0,
    error_ratio: then === now ? null : expect.closeTo(Math.abs(then - one.value) / Math.abs(then - now), 6),
  })
  // Forecasts with a filter are not stored.
  expect((await ask('gpu_name=RTX_4090&num_gpus=4'))['RTX 4090']?.occupancy[0]?.kept).toEqual(nothingKnown)
})

const nothingKnown = { forecasts: 0, coverage: null, error_ratio: null }

/** A figure at the one slot of an hour: the lower median of available prices, or the rented share. */
function figureAt(measure: 'avail_median' | 'occupancy', hour: number): number {
  const now = seen.filter(({ slot }) => slot === start + hour * 3600 + 600)
  const free = now
    .flatMap(({ free, price }) => Array.from({ length: free }, () => price))
    .sort((a, b) => a - b)
  return measure === 'occupancy' ? 1 - free.length / 8 : (free[Math.ceil(free.length / 2) - 1] ?? Number.NaN)
}

it('an unknown name has nulls', async () => {
  const { 'RTX 9999': found } = await ask('gpu_name=RTX 9999')
  const record = { forecasts: 0, coverage: null, error_ratio: null }
  expect(found?.occupancy[1]).toEqual({
    hours: 168,
    at: null,
    now: null,
    value: null,
    low: null,
    high: null,
    record,
    kept: record,
  })
  expect(found?.available).toMatchObject({
    gpus: 8,
    price: null,
    figures: [{ at: null, probability: null }, {}],
  })
})

it.each(['gpu_name=all', 'gpu_name=A,B,C,D,E,F'])('%s is 400', async (query) => {
  expect(await server.get(`/api/v0/metrics/gpu/forecast?${query}`)).toMatchObject({
    status: 400,
    body: { msg: 'gpu_name must be at most 5 names' },
  })
})

it.each([
  ['gpus=0', 'gpus must be between 1 and 1000000'],
  ['price=cheap', 'price must be USD per GPU-hour, such as 2.50'],
])('%s is 400', async (query, msg) => {
  expect(await server.get(`/api/v0/metrics/gpu/forecast?${query}`)).toMatchObject({
    status: 400,
    body: { msg },
  })
})

it('changes within the hour when a slot of the past arrives', async () => {
  const { 'RTX 4090': before } = await ask('gpu_name=RTX_4090')
  const slot = start + 478 * 3600 + 2400
  await addSeen(
    server,
    seen.slice(-2).map((one) => ({ ...one, slot, price: 0.9, free: 4, rented: [] })),
    'missing',
  )
  const { 'RTX 4090': after } = await ask('gpu_name=RTX_4090')
  expect(after?.avail_median[0]?.now).not.toBe(before?.avail_median[0]?.now)
})

it('a host without machines gets a marked answer', async () => {
  const { key } = await createKeyFor(server.postgres, { role: 'host' })
  const { body } = await server.get('/api/v0/metrics/gpu/forecast', key)
  expect(body).toEqual({ success: true, needs_machine: true, gpus: {} })
})

it('keeps forecasts of a market that has had 15,000 slots', async () => {
  await execute(
    server.clickhouse,
    `INSERT INTO slots (slot, source, observations, ready, revision)
     SELECT toDateTime({start:UInt32} - 300 * (number + 1), 'UTC'), 'market', 0, true, 0 FROM numbers(15000)`,
    { start },
  )
  expect(await storeForecasts(at(start + hours * 3600))).toBe(2)
})
