import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource } from '../../collect/site-source.ts'
import type { currentAnswer } from '../../contract/current.ts'
import type { fillAnswer } from '../../contract/fill.ts'
import type { historyAnswer } from '../../contract/history.ts'
import { askedFilters } from '../../contract/market-filter.ts'
import type { pricesAnswer } from '../../contract/prices.ts'
import type { revenueAnswer } from '../../contract/revenue.ts'
import { capture } from '../../ingest/capture.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { fillPast } from '../../ingest/fill-past.ts'
import { loadAll } from '../../ingest/load.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { smallMarket } from '../market.ts'
import { replaceRows } from '../replace-rows.ts'
import { openSampledMarket } from '../sampled-market.ts'
import { startServer, type TestServer } from '../server.ts'

const first = 1_795_003_200
const slots = [first, first + 300, first + 600]
const newest = first + 600
const tiers = ['verified', 'unverified', 'deverified'] as const
let site: TestServer
let marketplace: Awaited<ReturnType<typeof openSampledMarket>>
beforeAll(async () => {
  site = await startServer()
  marketplace = await openSampledMarket({ offers: 1200, mode: 'all' })
  const source = openSource(`vast=${marketplace.url}`, {})
  await keepToSource(site.postgres, source)
  for (const slot of slots) {
    await site.clock.hold(slot + 30)
    await collect(site, source, { slot, interval: 300 })
    marketplace.step()
  }
  await loadAll(site)
})
afterAll(async () => {
  marketplace?.close()
  await site?.close()
})

interface GpuCounts {
  gpus: number
  rented: number
  free: number
}

/** GPUs of a tier in the observations of `at`. */
async function seenOf(tier: string, at: readonly number[], more = ''): Promise<GpuCounts> {
  const [seen] = await selectRows<GpuCounts>(
    site.clickhouse,
    `SELECT toUInt32(sum(o.gpus)) AS gpus, toUInt32(sumIf(o.gpus, o.rented)) AS rented, gpus - rented AS free
     FROM observations AS o WHERE tier = '${tier}' AND toUnixTimestamp(slot) IN (${at.join()}) ${more}`,
  )
  return seen ?? { gpus: 0, rented: 0, free: 0 }
}

const get = async <Body>(path: string) => {
  const { status, body } = await site.get(`/api/v0/metrics/gpu/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Body
}
const range = `start=${first}&end=${first + 3599}`
const sum = (numbers: readonly (number | null)[]): number =>
  numbers.reduce<number>((total, one) => total + (one ?? 0), 0)

describe.each(tiers)('statistics of %s machines', (tier) => {
  it('the history has their counts and prices', async () => {
    const path = `history?gpu_name=all&tier=${tier}&${range}&step=300`
    const { gpus } = await get<z.infer<typeof historyAnswer>>(path)
    const all = Object.values(gpus)
    for (const [index, slot] of slots.entries())
      expect(sum(all.map(({ supply_demand }) => supply_demand.total_gpus[index] ?? 0))).toBe(
        (await seenOf(tier, [slot])).gpus,
      )
    const [name = ''] = Object.keys(gpus)
    const [expected] = await selectRows<{ median: number }>(
      site.clickhouse,
      `SELECT toFloat64(quantileExactWeighted(0.5)(price, o.gpus)) AS median FROM observations AS o
       WHERE gpu_name = '${name}' AND tier = '${tier}' AND NOT o.rented AND toUnixTimestamp(slot) IN (${slots.join()})`,
    )
    const hour = await get<z.infer<typeof historyAnswer>>(
      `history?gpu_name=${name}&tier=${tier}&${range}&step=3600`,
    )
    expect(hour.gpus[name]?.pricing.avail_median[0] ?? 0).toBe(expected?.median)
  })

  it('current, prices, revenue and fill rates have their GPUs', async () => {
    const { gpus: now } = await get<z.infer<typeof currentAnswer>>(`current?tier=${tier}`)
    const names = now.map(({ gpu_name }) => `'${gpu_name}'`).join()
    expect(now.length).toBeGreaterThan(3)
    expect(sum(now.map(({ total_gpus }) => total_gpus))).toBe(
      (await seenOf(tier, [newest], `AND gpu_name IN (${names})`)).gpus,
    )
    const all = await seenOf(tier, slots)
    const asked = `gpu_name=all&tier=${tier}&${range}`
    const { gpus: prices } = await get<z.infer<typeof pricesAnswer>>(`prices?${asked}&step=3600`)
    const bins = Object.values(prices).flatMap(({ available }) => available.flat())
    expect(sum(bins)).toBe(all.free)
    const { gpus: revenues } = await get<z.infer<typeof revenueAnswer>>(`revenue?${asked}&step=3600`)
    const counted = Object.values(revenues).flatMap(({ occupancy }) => occupancy)
    expect(counted.some((one) => one !== null && one > 0)).toBe(true)
    const { gpus: fills } = await get<z.infer<typeof fillAnswer>>(`fill?${asked}`)
    const hours = sum(Object.values(fills).map((fill) => fill.all.exposure_gpu_hours))
    expect(hours).toBeCloseTo((await seenOf(tier, slots.slice(0, 2))).free / 12)
    for (const path of ['availability', 'thin', 'dispersion', 'events', 'time-to-rent'])
      await get(`${path}?gpu_name=GPU+1&tier=${tier}&${range}`)
    for (const path of ['returns', 'terms', 'worth', 'places']) await get(`${path}?tier=${tier}`)
    await get(`forecast?gpu_name=GPU+1&tier=${tier}`)
    await get(`depth?gpu_name=GPU+1&tier=${tier}&days=1`)
  })

  it('days of machines have their tier', async () => {
    const word = tier === 'verified' ? 'yes' : tier
    const [day] = await selectRows<{ machines: number }>(
      site.clickhouse,
      'SELECT toUInt32(uniqExact(machine_id)) AS machines FROM machine_day_rows(day = {day:UInt32}) WHERE verified = {word:String}',
      { day: Math.floor(first / 86_400) * 86_400, word },
    )
    const [seen] = await selectRows<{ machines: number }>(
      site.clickhouse,
      `SELECT toUInt32(uniqExact(machine_id)) AS machines FROM observations WHERE tier = '${tier}'`,
    )
    expect(day?.machines).toBe(seen?.machines)
  })
})

it('a tier with a hosting type or rig size is refused where figures come from the cube', async () => {
  for (const path of ['history', 'current', 'revenue', 'dispersion', 'events', 'thin', 'forecast'])
    for (const more of ['num_gpus=8', 'hosting_type=community']) {
      const { status, body } = await site.get(
        `/api/v0/metrics/gpu/${path}?gpu_name=GPU+1&tier=deverified&${more}`,
      )
      expect([path, status, body]).toMatchObject([path, 400, { msg: expect.stringMatching(/^tier /) }])
    }
  await get('history?gpu_name=GPU+1&tier=verified&num_gpus=8')
  const { gpus } = await get<z.infer<typeof pricesAnswer>>(
    `prices?gpu_name=all&tier=deverified&num_gpus=8&${range}&step=3600`,
  )
  expect(sum(Object.values(gpus).flatMap(({ available }) => available.flat()))).toBe(
    (await seenOf('deverified', slots, 'AND num_gpus = 8')).free,
  )
})

it('verified=no has all tiers but verified', async () => {
  const path = `history?gpu_name=all&verified=no&${range}&step=300`
  const { gpus } = await get<z.infer<typeof historyAnswer>>(path)
  const total = sum(Object.values(gpus).map(({ supply_demand }) => supply_demand.total_gpus[0] ?? 0))
  const [one, other] = [await seenOf('unverified', [first]), await seenOf('deverified', [first])]
  expect(total).toBe(one.gpus + other.gpus)
  expect(askedFilters({ verified: 'deverified' })).toEqual({ verified: undefined, tier: 'deverified' })
})

it('rows of the past without tiers get them in the background', async () => {
  const { clickhouse, postgres } = site
  const derived = ['price_histogram', 'price_steps', 'cube', 'flows']
  const contents = () =>
    Promise.all(
      derived.map((table) =>
        selectRows(clickhouse, `SELECT * EXCEPT revision FROM ${table} FINAL ORDER BY ALL`),
      ),
    )
  const range = await seriesRange(clickhouse)
  expect(await check(site, range)).toMatchObject({ problems: [] })
  const before = await contents()
  const old: Record<string, string> = {
    price_histogram: `SELECT * REPLACE ('unknown' AS tier) FROM price_histogram FINAL`,
    price_steps: `SELECT * REPLACE ('unknown' AS tier) FROM price_steps FINAL`,
    cube: `SELECT * FROM cube FINAL WHERE verified IN ('all', 'yes', 'no')`,
    flows: `SELECT * REPLACE ('unknown' AS tier) FROM flows FINAL`,
  }
  await replaceRows(clickhouse, old)
  const [lacking] = await selectRows<{ before: number }>(
    clickhouse,
    loadSql('clickhouse/queries/series/lacking'),
  )
  expect(lacking?.before).toBe(first + 3600)
  await postgres.query('UPDATE backfills SET todo_before = 4102444800')
  expect(await check(site, range)).toMatchObject({ problems: [] })
  expect(await fillPast(site)).toBeGreaterThan(0)
  expect(await contents()).toEqual(before)
  expect(await check(site, range)).toMatchObject({ problems: [] })
})

it('no contract prices of a tier are shown in the own market', async () => {
  const own = await startServer()
  try {
    await own.clock.hold(first + 30)
    await smallMarket(own.postgres, 60)
    await capture(own.postgres, first)
    await loadAll(own)
    const ask = async (path: string) =>
      (await own.get(`/api/v0/metrics/gpu/${path}&tier=deverified`)).body as Record<string, unknown>
    const history = await ask(`history?gpu_name=all&${range}`)
    expect(JSON.stringify(history)).toMatch(/"rented_median":\[null/)
    expect(JSON.stringify(history)).not.toMatch(/"rented_(p10|median|p90)":\[[^\]]*\d/)
    expect(JSON.stringify(await ask('current?gpu_memory=all'))).not.toMatch(/"rented_(p10|median|p90)":\d/)
  } finally {
    await own.close()
  }
})
