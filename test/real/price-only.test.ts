import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSource } from '../../collect/open-source.ts'
import type { currentAnswer } from '../../contract/current.ts'
import type { GpuDepth } from '../../contract/depth.ts'
import type { GpuFill } from '../../contract/fill.ts'
import type { GpuForecast } from '../../contract/forecast.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import type { GpuPrices } from '../../contract/prices.ts'
import type { GpuRevenue } from '../../contract/revenue.ts'
import type { tiersAnswer } from '../../contract/tiers.ts'
import { importFiles } from '../../import/import-files.ts'
import { mappedFormat } from '../../import/mapping.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { selectMarket } from '../../src/alerts/market-rows.ts'
import { watchSeries } from '../../src/market/market-query/series.ts'
import { exportDays } from '../../src/publish/data/export.ts'
import { startServer, type TestServer } from '../server.ts'

const hour = 1_750_003_200
let server: TestServer
let folder = ''
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  folder = mkdtempSync(join(tmpdir(), 'rackrate-prices-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.close()
})

const map = 'slot=at,machine_id=id,gpu_name=gpu,num_gpus=n,price=usd'
/** Imports ten machines of each of two slots. */
async function land(source: string, { from, rented }: { from: number; rented: boolean }) {
  const file = join(folder, source)
  const slots = [from, from + 300]
  const rows = slots.flatMap((slot) =>
    Array.from({ length: 10 }, (_, id) => `${slot},${id + 1},L4,4,0.${30 + id}${rented ? ',true' : ''}`),
  )
  writeFileSync(file, [`at,id,gpu,n,usd${rented ? ',rented' : ''}`, ...rows].join('\n'))
  const format = mappedFormat(rented ? `${map},rented=rented` : map, source)
  await importFiles(server, [file], { format })
}

/** The columns of the first row of a CSV file. */
function firstRow(path: string): Record<string, string> {
  const [head = '', row = ''] = gunzipSync(readFileSync(path)).toString().split('\n')
  const fields = row.split(',')
  return Object.fromEntries(
    head.split(',').map((name, at) => [name.replaceAll('"', ''), fields[at]?.replaceAll('"', '') ?? '']),
  )
}

async function figures() {
  const range = `gpu_name=L4&verified=all&start=${hour}&end=${hour + 3599}`
  const get = async <Body>(path: string) => {
    const { status, body } = await server.get(`/api/v0/metrics/gpu/${path}`)
    expect(status, path).toBe(200)
    return body as Body
  }
  type Named<Figures> = { gpus: { L4: Figures } }
  const current = await get<(typeof currentAnswer)['_output']>('current?verified=all')
  const { L4: revenue } = (await get<Named<GpuRevenue>>(`revenue?${range}&step=3600`)).gpus
  const { L4: fill } = (await get<Named<GpuFill>>(`fill?${range}`)).gpus
  const waits = await get<{ reason: string | null }>(`time-to-rent?${range}`)
  const byTerms = await get<{ reason: string | null }>(`fill-by-terms?${range}`)
  const { L4: depth } = (await get<Named<GpuDepth>>('depth?gpu_name=L4&verified=all')).gpus
  const { L4: prices } = (await get<Named<GpuPrices>>(`prices?${range}&step=3600&bins=1`)).gpus
  const tiers = await get<(typeof tiersAnswer)['_output']>(
    `tiers?gpu_name=L4&start=${hour}&end=${hour + 3599}`,
  )
  const { L4: forecast } = (await get<Named<GpuForecast>>('forecast?gpu_name=L4&verified=all')).gpus
  const series = watchSeries(server.postgres, server.clickhouse)
  const slot = (await series.state()).newest_slot
  const [row] = await selectMarket({ ...server, series }, { from: slot, to: slot + 1 })
  return {
    current: [
      current.reason,
      current.gpus[0]?.usage,
      current.gpus[0]?.usage_30d,
      current.gpus[0]?.price_median,
    ],
    revenue: [revenue.reason, revenue.revpag, revenue.adr, revenue.occupancy],
    fill: [fill.reason, fill.all.fill_rate.value],
    flows: [waits.reason, byTerms.reason],
    depth: depth.rented.reason,
    prices: [prices.reason, prices.rented],
    tiers: [tiers.reason, tiers.gpus.L4?.[0]?.rented_gpus, tiers.gpus.L4?.[0]?.occupancy],
    forecast: forecast.occupancy[0]?.now,
    alerts: row?.rented_gpus,
  }
}

it('figures that need rentals are null with a reason if no source reports rentals', async () => {
  await land('prices-only', { from: hour, rented: false })
  expect(await figures()).toEqual({
    current: ['no_rentals_known', null, null, 0.34],
    revenue: [['no_rentals_known'], [null], [null], [null]],
    fill: ['no_rentals_known', null],
    flows: ['no_rentals_known', 'no_rentals_known'],
    depth: 'no_rentals_known',
    prices: [['no_rentals_known'], [[null]]],
    tiers: ['no_rentals_known', null, null],
    forecast: null,
    alerts: null,
  })
})

it('own machines have no occupancy, income or idle time if no source reports rentals', async () => {
  const { postgres } = server
  await postgres.query("INSERT INTO accounts (id, name, is_host) VALUES (7, 'host', true)")
  await postgres.query(
    `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
     VALUES (1, 7, 'L4', 4, 24576, 10, 10, 1000, 'unverified', 'community')`,
  )
  await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES (1, 0.30)')
  const { key } = await createKey(postgres, { accountId: 7 })
  const { body } = await server.get('/api/v0/metrics/machines?verified=all', key)
  expect((body as (typeof machinesAnswer)['_output']).machines[0]?.figures).toMatchObject({
    past_reason: 'no_rentals_known',
    occupancy_1d: null,
    income_1d: null,
    income_30d: null,
    idle_since: null,
    since_change: null,
    comp_set: { rgi: null, reason: 'no_rentals_known' },
    reason: 'no_rentals_known',
    advice: { verdict: 'unknown', obstacle: 'no_rentals_known' },
  })
})

it('gauges and files have no figures of rented GPUs if no source reports rentals', async () => {
  const { body } = await server.get('/metrics/global')
  expect(body).toContain('vastai_gpu_count{gpu_name="L4",verified="no",rented="no"} 40')
  expect(body).not.toMatch(/rented="(yes|any)"/)
  const { headers } = await server.get(`/api/v0/metrics/gpu/history?gpu_name=L4&start=${hour}`)
  expect(headers['rackrate-rentals']).toBe('unknown')
  const statistics = ['hourly', 'prices', 'flows'] as const
  const range = { from: hour, to: hour + 1 }
  const files = await exportDays(server, { statistics, format: 'csv.gz', folder, ...range })
  const rows = files.map(({ path }) => firstRow(path))
  const none = { rented_verified: '', rented_unverified_gpus: '', occupancy: '', revpag: '', adr: '' }
  expect(rows[0]).toMatchObject({ total_gpus: '40', ...none })
  expect(rows[1]).toMatchObject({ gpu_name: 'L4', rented: '' })
  expect(rows[2]).toMatchObject({
    gpu_name: 'L4',
    rentals: '',
    withdrawn: '',
    held_gpu_hours: '',
    returns: '',
  })
})

it('figures that need rentals are known again once a source reports rentals', async () => {
  await land('with-rentals', { from: hour + 7200, rented: true })
  const { current, revenue, fill, flows, depth, prices, tiers, alerts } = await figures()
  expect(current).toEqual([null, 100, expect.any(Number), null])
  expect(revenue).toEqual([[null], [0], [null], [0]])
  expect([fill[0], flows, alerts]).toEqual(['little_exposure', [null, null], 40])
  expect([depth, prices, tiers]).toEqual([null, [[null], [[0]]], [null, 0, 0]])
  const { headers } = await server.get(`/api/v0/metrics/gpu/history?gpu_name=L4&start=${hour}`)
  expect(headers['rackrate-rentals']).toBeUndefined()
})

it.each([
  ['exporter=https://example.com', undefined, true],
  ['vast=https://example.com', undefined, true],
  ['file=https://example.com/prices.csv', undefined, true],
  ['file=https://example.com/prices.csv', 'machine_id=id,gpu_name=gpu,price=usd', false],
  ['file=https://example.com/prices.csv', 'machine_id=id,gpu_name=gpu,price=usd,rented=r', true],
  ['command=cat prices', 'machine_id=id,gpu_name=gpu,price=usd', false],
])('the source %s with the mapping %s has rentals: %s', (text, map, known) => {
  expect(openSource(text, { map }).hasRentals).toBe(known)
})
