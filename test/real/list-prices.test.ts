import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { openCatalog, readCatalog } from '../../collect/catalog.ts'
import type { listPricesAnswer } from '../../contract/list-prices.ts'
import { importSkypilot } from '../../import/skypilot.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { type CloudRow, catalogCsv, openBucket, zipOf } from '../bucket.ts'
import { openGitCatalog, vm } from '../git-catalog.ts'
import { startServer, type TestServer } from '../server.ts'

const t0 = 1_790_000_000
const hour = 3600

let server: TestServer
let bucket: Awaited<ReturnType<typeof openBucket>>
beforeAll(async () => {
  server = await startServer()
  bucket = await openBucket()
})
afterAll(async () => {
  bucket?.close()
  await server?.close()
})
beforeEach(async () => {
  Object.assign(bucket, { zips: {}, faults: {}, requests: [] })
  await server.clock.hold(t0)
  await server.postgres.query('TRUNCATE catalogs')
  await execute(server.clickhouse, 'TRUNCATE TABLE list_prices/*!_local ON CLUSTER $cluster*/')
})

const serve = (provider: string, rows: readonly CloudRow[]) => {
  bucket.zips[provider] = zipOf({ [`${provider}.csv`]: catalogCsv(rows) })
}
const read = () =>
  readCatalog(server, openCatalog(`gpuhunt=${bucket.url}`, undefined), new AbortController().signal)
const stored = () =>
  selectRows<{ at: number; instance_name: string; gpu_name: string; spot: boolean; price: number | null }>(
    server.clickhouse,
    'SELECT toInt64(toUnixTimestamp(time)) - 1790000000 AS at, instance_name, gpu_name, spot, price FROM list_prices FINAL ORDER BY ALL',
  )
const ask = async (query = '') =>
  (await server.get(`/api/v0/metrics/gpu/list-prices${query}`)).body as z.infer<typeof listPricesAnswer>

const l4 = { instance: 'g6.xlarge', price: 0.8 }
const a100 = { instance: 'p4d.24xlarge', price: 32, gpus: 8, gpu: 'A100', memory: 40 }

describe('a catalog that is read every hour', () => {
  it('adds a row where a price changed, and one where an offer ended', async () => {
    serve('aws', [l4, { ...l4, spot: true, price: 0.3 }, a100])
    serve('gcp', [{ instance: 'g2-standard-4', price: 0.7 }])
    expect(await read()).toMatchObject({ aws: 3, gcp: 1, azure: 'The source answered with status 403.' })
    expect(await read()).toEqual({}) // nothing is due
    await server.clock.advance(hour)
    expect(await read()).toMatchObject({ aws: 0, gcp: 0 })
    expect(bucket.requests.filter(({ path }) => path.includes('aws')).map(({ status }) => status)).toEqual([
      200, 304,
    ])

    serve('aws', [{ ...l4, price: 0.9 }, a100])
    await server.clock.advance(hour)
    expect(await read()).toMatchObject({ aws: 2, gcp: 0 })
    expect(await stored()).toEqual([
      { at: 0, instance_name: 'g2-standard-4', gpu_name: 'L4', spot: false, price: 0.7 },
      { at: 0, instance_name: 'g6.xlarge', gpu_name: 'L4', spot: false, price: 0.8 },
      { at: 0, instance_name: 'g6.xlarge', gpu_name: 'L4', spot: true, price: 0.3 },
      { at: 0, instance_name: 'p4d.24xlarge', gpu_name: 'A100 SXM4', spot: false, price: 4 },
      { at: 2 * hour, instance_name: 'g6.xlarge', gpu_name: 'L4', spot: false, price: 0.9 },
      { at: 2 * hour, instance_name: 'g6.xlarge', gpu_name: 'L4', spot: true, price: null },
    ])

    const { gpus, catalogs } = await ask()
    expect(gpus.L4?.cheapest).toEqual([
      expect.objectContaining({
        provider: 'gcp',
        spot: false,
        price: 0.7,
        since: t0,
        as_of: t0 + 2 * hour,
        is_current: true,
      }),
      expect.objectContaining({ provider: 'aws', spot: false, price: 0.9, since: t0 + 2 * hour }),
    ])
    expect(catalogs).toHaveLength(9)
    expect(catalogs.find(({ provider }) => provider === 'azure')).toMatchObject({
      read_at: null,
      is_current: false,
      failures: expect.any(Number),
      problem: 'The source answered with status 403.',
    })

    const over = await ask(
      `?gpu_name=l4,A100-80GB-SXM4,RTX_4090&start=${t0 - hour}&end=${t0 + 5 * hour}&step=${hour}`,
    )
    const points = over.gpus.L4?.timestamps.map((time) => time - t0)
    expect(points?.length).toBe(7)
    expect(points?.[1]).toBe(-800) // buckets are whole hours
    const seriesOf = (provider: string, spot: boolean) =>
      over.gpus.L4?.series.find((one) => one.provider === provider && one.spot === spot)?.prices
    expect(seriesOf('aws', false)).toEqual([null, 0.8, 0.8, 0.9, null, null, null])
    expect(seriesOf('aws', true)).toEqual([null, 0.3, 0.3, null, null, null, null])
    expect(Object.keys(over.gpus)).toEqual(['L4', 'A100 SXM4', 'RTX 4090'])
    expect(over.gpus['RTX 4090']).toMatchObject({ cheapest: [], series: [] })
    expect((await server.get('/api/v0/metrics/gpu/list-prices?start=0')).status).toBe(400)
  })

  it('answers the offers of each size of memory, without one of another size', async () => {
    serve('aws', [a100, { ...a100, instance: 'p4de.24xlarge', price: 40, memory: 80 }])
    serve('gcp', [{ ...a100, instance: 'a2-ultragpu-8g', price: 36, memory: 80 }])
    await read()
    const offers = async (query: string) =>
      (await ask(query)).gpus['A100 SXM4']?.cheapest.map(({ provider, gpu_memory, price }) => [
        provider,
        gpu_memory,
        price,
      ])
    expect(await offers('')).toEqual([
      ['aws', 40, 4],
      ['gcp', 80, 4.5],
      ['aws', 80, 5],
    ])
    expect(await offers('?gpu_memory=80')).toEqual([
      ['gcp', 80, 4.5],
      ['aws', 80, 5],
    ])
    expect(await offers('?gpu_memory=40')).toEqual([['aws', 40, 4]])
    const over = `?gpu_name=A100+SXM4&start=${t0 - hour}&end=${t0}&step=${hour}`
    const last = async (query: string) =>
      (await ask(`${over}${query}`)).gpus['A100 SXM4']?.series.map(({ prices }) => prices.at(-1))
    expect([await last(''), await last('&gpu_memory=80')]).toEqual([
      [4, 4.5],
      [5, 4.5],
    ])
  })

  it('is the past when it was not read for two days', async () => {
    serve('aws', [l4])
    await read()
    await server.clock.advance(49 * hour)
    expect((await ask()).gpus.L4?.cheapest).toMatchObject([{ as_of: t0, is_current: false }])
  })

  it('lists unknown names of GPUs, and guesses none', async () => {
    serve('aws', [l4, { ...l4, gpu: 'Trainium', memory: 32 }, { ...l4, gpu: 'H100', memory: 80, price: 5 }])
    serve('azure', [{ ...l4, gpu: 'Trainium', memory: '' }])
    await read()
    const { gpus, unmapped } = await ask()
    expect(Object.keys(gpus)).toEqual(['L4'])
    expect(unmapped).toEqual([
      { catalog: 'gpuhunt', provider: 'aws', listed_name: 'H100', gpu_memory: 80, offers: 1, cheapest: 5 },
      {
        catalog: 'gpuhunt',
        provider: 'aws',
        listed_name: 'Trainium',
        gpu_memory: 32,
        offers: 1,
        cheapest: 0.8,
      },
      {
        catalog: 'gpuhunt',
        provider: 'azure',
        listed_name: 'Trainium',
        gpu_memory: null,
        offers: 1,
        cheapest: 0.8,
      },
    ])
  })

  it('keeps its last prices when it fails, and stops no other provider', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => ({ ...l4, instance: `g${index}` }))
    serve('aws', rows)
    serve('oci', rows)
    await read()
    await server.clock.advance(hour)
    bucket.faults.aws = (response) => response.writeHead(503, { 'retry-after': '7200' }).end()
    serve('oci', rows.slice(0, 4))
    serve('nebius', [l4])
    const [half, unavailable] = [
      /^It lists 4 offers; before, it listed 10\./,
      'The source answered with status 503.',
    ]
    expect(await read()).toMatchObject({ aws: unavailable, oci: expect.stringMatching(half), nebius: 1 })
    bucket.faults = {}
    await server.clock.advance(600)
    expect(await read()).toMatchObject({ oci: expect.stringMatching(half) })
    expect(await stored()).toHaveLength(21)
    expect((await ask()).catalogs.find(({ provider }) => provider === 'aws')).toMatchObject({
      failures: 1,
      problem: unavailable,
      offers: 10,
      is_current: true,
      read_at: t0,
    })
    // Half of the offers is accepted after it has stayed so for a day.
    await server.postgres.query(
      `UPDATE catalogs SET failures = 24, ask_after = rackrate_now() WHERE provider = 'oci'`,
    )
    await server.clock.advance(1)
    expect(await read()).toMatchObject({ oci: 6 })
  })

  it('is refused as a whole when it is malformed', async () => {
    serve('aws', [{ ...l4, price: 1 }, a100])
    await read()
    const before = await stored()
    const bad: [Buffer, RegExp][] = [
      [Buffer.from('<!doctype html><title>Hi</title>'), /^It is not a zip file/],
      [zipOf({ 'aws.csv': 'a'.repeat(3_000_000) }), /^aws\.csv would unpack to/],
      [zipOf({ 'v3/aws.csv': catalogCsv([l4]) }), /^The zip has a member with a path: v3\/aws\.csv/],
      [zipOf({ 'aws.csv': 'name,price\r\na,1\r\n' }), /there is no column instance_name/],
      [zipOf({ 'aws.csv': catalogCsv([{ ...a100, price: 0 }]) }), /no offer with a GPU. line 3: not a price/],
      [
        zipOf({ 'aws.csv': catalogCsv(Array(20).fill({ ...l4, price: 1e6 })) }),
        /20 of 20 offers cannot be used/,
      ],
    ]
    for (const [zip, problem] of bad) {
      await server.postgres.query("UPDATE catalogs SET ask_after = rackrate_now() WHERE provider = 'aws'")
      await server.clock.advance(1)
      bucket.zips.aws = zip
      expect(await read()).toEqual({ aws: expect.stringMatching(problem) })
    }
    expect(await stored()).toEqual(before)
    expect((await ask()).catalogs.find(({ provider }) => provider === 'aws')).toMatchObject({
      failures: bad.length,
      offers: 2,
      read_at: t0,
      problem: expect.stringMatching(/20 of 20/),
    })
  })

  it('holds a price that jumps until it is seen in a second reading', async () => {
    const price = async (usd: number) => {
      serve('aws', [{ ...l4, price: usd }])
      await server.clock.advance(hour)
      await read()
      const { catalogs } = await ask()
      const aws = catalogs.find(({ provider }) => provider === 'aws')
      return [(await stored()).at(-1)?.price, Object.keys(aws?.left_out ?? {})]
    }
    const held = ['a price that jumped, until it is seen again']
    serve('aws', [l4])
    await read()
    expect(await price(80)).toEqual([0.8, held])
    expect(await price(0.8)).toEqual([0.8, []])
    expect(await price(80)).toEqual([0.8, held])
    expect(await price(0.02)).toEqual([0.8, held])
    expect(await price(15)).toEqual([15, []])
    expect(await price(0.5)).toEqual([15, held])
    await server.clock.advance(25 * hour)
    await read() // The catalog has not changed, and is read again.
    expect((await stored()).at(-1)?.price).toBe(0.5)
  })

  it('is read as a whole again when ClickHouse lacks what was read', async () => {
    serve('aws', [l4])
    await read()
    await execute(server.clickhouse, 'TRUNCATE TABLE list_prices/*!_local ON CLUSTER $cluster*/')
    await server.clock.advance(hour)
    expect(await read()).toMatchObject({ aws: 1 })
    expect(await stored()).toMatchObject([{ at: hour, price: 0.8 }])
  })
})

describe('the history of a clone of skypilot-catalog', () => {
  const clone = openGitCatalog()
  afterAll(() => rmSync(clone.folder, { recursive: true }))
  const at = (hours: number) => t0 - 1000 * hour + hours * hour
  beforeAll(() => {
    clone.commit(at(0), {
      'v5/aws/vms.csv': [vm('p4d', 'A100', 8, '32', '9'), vm('m5', '', 0, '0.1')],
      'v5/lambda/vms.csv': [vm('gpu_1x', 'H100-SXM', 1, '2.5')],
      'v4/aws/vms.csv': [vm('old', 'A100-80GB-SXM', 8, '1')],
    })
    clone.commit(at(1), {
      'v5/aws/vms.csv': [
        vm('p4d', 'A100-SXM', 8, '32', '8'),
        vm('p4d', 'A100-SXM', 8, '32', '7', 'use1-az2'),
      ],
    })
    clone.commit(at(1), { 'v5/aws/vms.csv': [vm('p4d', 'A100-SXM', 8, '33')] })
    clone.commit(at(2), { 'v4/aws/vms.csv': [], 'v5/lambda/images.csv': [] })
    clone.commit(at(3), { 'v6/aws/vms.csv': [vm('p4d', 'A100-SXM', 8, '33'), vm('p5', 'H100-SXM', 8, '80')] })
  })
  const rows = () =>
    selectRows(
      server.clickhouse,
      'SELECT toInt64(toUnixTimestamp(time)) AS at, provider, instance_name, gpu_name, spot, price FROM list_prices FINAL ORDER BY ALL',
    )
  const expected = () =>
    [
      [at(0), 'aws', 'p4d', '', false, 4],
      [at(0), 'aws', 'p4d', '', true, 1.125],
      [at(0), 'lambda', 'gpu_1x', 'H100 SXM', false, 2.5],
      [at(1), 'aws', 'p4d', '', false, null],
      [at(1), 'aws', 'p4d', '', true, null],
      [at(1), 'aws', 'p4d', 'A100 SXM4', false, 4],
      [at(1), 'aws', 'p4d', 'A100 SXM4', true, 0.875],
      [at(1) + 1, 'aws', 'p4d', 'A100 SXM4', false, 4.125],
      [at(1) + 1, 'aws', 'p4d', 'A100 SXM4', true, null],
      [at(3), 'aws', 'p5', 'H100 SXM', false, 10],
    ].map(([at, provider, instance_name, gpu_name, spot, price]) => ({
      at,
      provider,
      instance_name,
      gpu_name,
      spot,
      price,
    }))

  it('becomes a row where a price changed, once, however often it is imported', async () => {
    const report = await importSkypilot(server, clone.folder)
    expect(report).toMatchObject({ commits: 5, changes: 10, unreadable: [] })
    expect(report.providers).toMatchObject({ aws: { offers: 2 }, lambda: { offers: 1 } })
    expect(await rows()).toEqual(expected())
    expect(await importSkypilot(server, clone.folder)).toMatchObject({ changes: 0 })
    expect(await rows()).toEqual(expected())
    const { gpus } = await ask()
    expect(gpus['H100 SXM']?.cheapest).toMatchObject([
      { catalog: 'skypilot', provider: 'lambda', price: 2.5, as_of: at(3), is_current: false },
      { catalog: 'skypilot', provider: 'aws', price: 10 },
    ])
  })

  it('is complete after an import that was ended', async () => {
    const atOnce = 1
    let writes = 0
    const onWritten = async () => {
      writes += 1
      if (writes === 3) throw new Error('ended')
    }
    await expect(importSkypilot(server, clone.folder, { onWritten, atOnce })).rejects.toThrow('ended')
    expect((await rows()).length).toBeLessThan(10)
    await importSkypilot(server, clone.folder)
    expect(await rows()).toEqual(expected())
    clone.commit(at(9), { 'v6/aws/vms.csv': [vm('p5', 'H100-SXM', 8, '80')] })
    expect(await importSkypilot(server, clone.folder)).toMatchObject({ files: 1, changes: 1 })
  })

  it('must be there', async () => {
    await expect(importSkypilot(server, '/tmp')).rejects.toThrow(/^git cannot read \/tmp: /)
  })
})
