import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataFormats, dataStatistics } from '../../contract/data-formats.ts'
import type { GpuFill } from '../../contract/fill.ts'
import { type DataManifest, dataManifest } from '../../contract/open-data.ts'
import type { PriceIndex } from '../../contract/price-index.ts'
import { writeChanges } from '../../ingest/list-prices.ts'
import { loadAll } from '../../ingest/load.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { publish, selectDays } from '../../src/publish/data/publish.ts'
import { duck, duckMeans, numericColumns, pandasMeans, type TextFile } from '../frames.ts'
import { needs } from '../needs.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { findPython } from '../python.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

const day = 1_750_032_000
const date = '2025-06-16'
const [ten, half, eleven, noon, nextDay] = [10, 10.5, 11, 12, 24].map((hour) => day + hour * 3600) as [
  number,
  number,
  number,
  number,
  number,
]
const machine = { verified: true, hosting: 'community' as const, tflops: 30, dlperf: 60 }
const market = (slot: number, price: number): MachineAtSlot[] => [
  {
    ...machine,
    slot,
    machine: 1,
    gpu: 'L4',
    rig: 4,
    free: 1,
    price,
    rented: [{ gpus: 3, price: 2 }],
    host: 7,
  },
  { ...machine, slot, machine: 2, gpu: 'L4', rig: 8, free: 8, price: 3, rented: [], host: 8 },
  { ...machine, slot, machine: 3, gpu: 'A100', rig: 2, free: 2, price: 1.5, rented: [], host: 8 },
]

const python = findPython('pandas')
needs(
  python !== undefined,
  'no Python with pandas is installed, so the line for it in the README and the CSV of open data are not tested with it',
)

const root = mkdtempSync(join(tmpdir(), 'rackrate-data-'))
const folder = join(root, 'public')
const openData = { folder, days: 400, licence: 'CC0-1.0' }
let server: TestServer
let base: string

const land = async (slot: number, price: number) => {
  await spool(server.postgres, slot, market(slot, price))
  await loadAll(server)
}
const manifest = () => dataManifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
const filesIn = (statistic: string) => readdirSync(join(folder, statistic)).sort()

beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0, openData: { folder, access: 'host' } })
  await server.postgres.query('UPDATE slot_interval SET seconds = 1800')
  for (const [slot, price] of [
    [ten, 2.4],
    [half, 2.4],
    [eleven, 2.2],
    [nextDay, 2],
  ] as const)
    await land(slot, price)
  await publishDays(server)
  const offer = {
    catalog: 'gpuhunt',
    provider: 'aws',
    region: 'us-east-1',
    instance_name: 'g6.xlarge',
    listed_name: 'L4',
    gpu_name: 'L4',
    gpu_memory: 24,
    gpus: 1,
    spot: false,
  }
  await writeChanges(server.clickhouse, [
    { ...offer, time: day - 86_400, price: 0.9 },
    { ...offer, time: noon, price: 0.8 },
    { ...offer, time: nextDay, price: 0.7 },
    { ...offer, time: noon, region: 'eu-west-1', price: 0.85 },
    { ...offer, time: day - 86_400, spot: true, price: 0.3, region: '=HYPERLINK("x")', instance_name: '-5' },
    // Offers that have ended, that have an unknown name, and of a provider that is not read any more.
    { ...offer, time: day - 86_400, provider: 'gcp', price: 0.1 },
    { ...offer, time: ten, provider: 'gcp', price: null },
    { ...offer, time: noon, gpu_name: '', price: 0.1 },
    { ...offer, time: noon, provider: 'oci', price: 0.1 },
  ])
  await server.postgres.query(
    `INSERT INTO catalogs (catalog, provider, place, ask_after, read_at) VALUES ('gpuhunt', 'aws', '', rackrate_now(), rackrate_now()),
       ('gpuhunt', 'gcp', '', rackrate_now(), rackrate_now()), ('gpuhunt', 'oci', '', rackrate_now(), to_timestamp(0))`,
  )
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const address = server.app.server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(async () => {
  await server?.close()
  rmSync(root, { recursive: true, force: true })
})

/** Expects every file of a manifest to exist, with the listed hash, size and number of rows. */
function verify({ files }: DataManifest): void {
  for (const { path, bytes, sha256 } of files) {
    const content = readFileSync(join(folder, path))
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
  }
}

describe('the files of a complete day', () => {
  it('are made once, for the days that have a later one', async () => {
    expect(await publish(server, openData)).toBe(1)
    expect(await publish(server, openData)).toBe(0)
    const { licence, files } = manifest()
    expect(licence).toBe('CC0-1.0')
    expect(files.map(({ latest }) => latest)).toEqual(
      dataStatistics.flatMap((name) => [`${name}/${date}.csv.gz`, `${name}/${date}.parquet`]),
    )
    expect(files.map(({ rows }) => rows)).toEqual([2, 2, 3, 3, 4, 4, 3, 3, 2, 2, 8, 8, 0, 0, 0, 0])
    expect(files[0]).toMatchObject({ from: day, to: day + 86_400, simulated: false })
    verify(manifest())
  })

  it('hold the figures of the history and of revenue', async () => {
    for (const [statistic, step] of [
      ['daily', 86_400],
      ['hourly', 3600],
    ] as const) {
      const query = `gpu_name=L4&verified=all&start=${day}&end=${day + 86_399}&step=${step}`
      const [history, revenue] = await Promise.all(
        ['history', 'revenue'].map(
          async (name) => (await server.get(`/api/v0/metrics/gpu/${name}?${query}`)).body,
        ),
      )
      const { supply_demand, pricing } = (history as unknown as Gpus).gpus.L4
      const expected = { ...supply_demand, ...pricing, ...(revenue as unknown as Gpus).gpus.L4 } as Record<
        string,
        number[]
      >
      for (const format of ['parquet', 'csv.gz']) {
        const { path } =
          manifest().files.find((file) => file.latest === `${statistic}/${date}.${format}`) ?? {}
        const rows = await duck(`SELECT * FROM '${folder}/${path}' WHERE gpu_name = 'L4' ORDER BY time`)
        expect(rows.length).toBe(expected.timestamps?.length)
        for (const [index, { time, gpu_name, tflops, dlperf, ...figures }] of rows.entries()) {
          expect(Date.parse(`${time}:00`) / 1000).toBe(expected.timestamps?.[index])
          expect([gpu_name, Number(tflops), Number(dlperf)]).toEqual(['L4', 30, 60])
          for (const [name, value] of Object.entries(figures)) {
            // The history shows the percentiles of a single machine; files do not.
            const shown =
              name.startsWith('rented_p') || name === 'rented_median' ? null : expected[name]?.[index]
            expect([name, value === null ? null : Number(value)]).toEqual([name, shown])
          }
        }
      }
    }
  })

  it('have numeric columns whose mean DuckDB and pandas take from the CSV', async () => {
    const read: TextFile[] = []
    const expected: unknown[] = []
    for (const statistic of dataStatistics) {
      const [parquet = '', path = ''] = ['parquet', 'csv.gz'].map((format) => {
        const latest = `${statistic}/${date}.${format}`
        return join(folder, manifest().files.find((file) => file.latest === latest)?.path ?? '')
      })
      const columns = await numericColumns(parquet)
      const means = (await duckMeans(`'${parquet}'`, columns)).map((mean) => mean && expect.closeTo(mean, 9))
      expect(await duckMeans(`'${path}'`, columns), statistic).toEqual(means)
      expect(gunzipSync(readFileSync(path)).toString()).not.toContain('\\N')
      read.push({ path, columns })
      expected.push(means)
    }
    if (python) expect(await pandasMeans(python, read)).toEqual(expected)
  })

  it('hold the flows of the fill rates, and the links of the index', async () => {
    const range = `start=${day}&end=${day + 86_399}`
    const { body } = await server.get(`/api/v0/metrics/gpu/fill?gpu_name=L4&verified=all&${range}`)
    const { all, held_gpu_hours, returns } = (body as unknown as { gpus: { L4: GpuFill } }).gpus.L4
    const [sums] = await duck(
      `SELECT sum(exposure_gpu_hours) AS exposure, sum(rentals) AS rentals, sum(held_gpu_hours) AS held, sum(returns) AS returns,
         min(price_low) AS low, max(price_high) AS high
       FROM '${folder}/flows/*.parquet' WHERE gpu_name = 'L4'`,
    )
    expect(Object.values(sums ?? {}).map(Number)).toEqual([
      all.exposure_gpu_hours,
      all.rentals,
      held_gpu_hours,
      returns,
      all.price_low,
      all.price_high,
    ])
    expect(all.exposure_gpu_hours).toBeGreaterThan(0)

    const index = await server.get(`/api/v0/metrics/gpu/index?market=true&${range}`)
    const { hash, machines } = (index.body as unknown as { market: PriceIndex }).market
    const rows = await duck(`SELECT hash, machines FROM '${folder}/index/*.parquet' WHERE gpu_name = ''`)
    expect(rows.map((row) => [row.hash, Number(row.machines)])).toEqual([[hash[0], machines[0]]])
  })

  it('hold what clouds asked at the end of the day', async () => {
    const file = join(
      folder,
      manifest().files.find(({ latest }) => latest === `list_prices/${date}.parquet`)?.path ?? '',
    )
    const offer = { gpu_name: 'L4', catalog: 'gpuhunt', provider: 'aws', region: 'us-east-1' }
    expect(await duck(`SELECT * FROM '${file}'`)).toMatchObject([
      { ...offer, spot: false, price: 0.8, instance_name: 'g6.xlarge', gpus: '1' },
      { ...offer, region: '=HYPERLINK("x")', spot: true, price: 0.3, instance_name: '-5' },
    ])
    const csv = readFileSync(file.replace(/parquet$/, 'csv.gz'))
    expect(gunzipSync(csv).toString()).toContain(`0.3,"'=HYPERLINK(""x"")","-5",1\n`)
  })

  it('hold every price of an offer, and neither a machine nor an account', async () => {
    const rows = await duck(`SELECT * FROM '${folder}/prices/*.parquet' WHERE rented ORDER BY ALL`)
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'time',
      'gpu_name',
      'num_gpus',
      'verified',
      'hosting_type',
      'gpu_memory',
      'tier',
      'rented',
      'price',
      'gpus',
    ])
    // One machine is too few for a price.
    expect(rows.map(({ price, gpus }) => [price, Number(gpus)])).toEqual([
      [null, 6],
      [null, 3],
    ])
    for (const file of filesIn('prices').filter((name) => name.endsWith('gz')))
      expect(
        gunzipSync(readFileSync(join(folder, 'prices', file)))
          .toString()
          .split('\n')[0],
      ).not.toMatch(/host_id|machine/)
  })
})

interface Gpus {
  gpus: { L4: { supply_demand: object; pricing: object } }
}

describe('reading them', () => {
  const get = (path: string, key?: string, headers = {}) =>
    fetch(`${base}/data/${path}`, {
      redirect: 'manual',
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
    })

  it('needs what the history needs', async () => {
    expect((await get('manifest.json')).status).toBe(401)
    const { key: idle } = await createKeyFor(server.postgres, { role: 'host' })
    expect((await get('manifest.json', idle)).status).toBe(403)
    const { key: user } = await createKeyFor(server.postgres, { role: 'user' })
    expect((await get(`daily/${date}.parquet`, user)).status).toBe(403)
    expect((await get('manifest.json', server.adminKey)).headers.get('cache-control')).toBe(
      'private, no-cache',
    )
  })

  it('leads from a stable address to a file that never changes', async () => {
    for (const name of ['latest', date]) {
      const answer = await get(`hourly/${name}.parquet`, server.adminKey)
      const { path, sha256 } =
        manifest().files.find(({ latest }) => latest === `hourly/${date}.parquet`) ?? {}
      expect([answer.status, `hourly/${answer.headers.get('location')}`]).toEqual([302, path])
      const file = await get(path ?? '', server.adminKey)
      expect(file.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
      const content = Buffer.from(await file.arrayBuffer())
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
      const part = await get(path ?? '', server.adminKey, { range: 'bytes=0-3' })
      expect([part.status, await part.text()]).toEqual([206, 'PAR1'])
    }
  })

  it.each([
    'daily/2020-01-01.parquet',
    'daily/2020-01-01.r1.parquet',
    '..%2fmanifest.json',
    'daily/..%2f..%2fkey',
    'daily/.tmp-x',
    'x/y',
    'daily/latest.parquet.tmp',
  ])('answers %s as what does not exist', async (path) => {
    const answer = await get(path, server.adminKey)
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, 'not_found'])
  })

  it('needs no key if the site is public, and is limited by address', async () => {
    const databases = { ...server, close: async () => {} }
    const open = await startServer({ databases, openData: { folder, access: 'public' }, addressRateLimit: 2 })
    const ask = () => open.app.inject({ url: '/data/manifest.json' })
    const first = await ask()
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'public, no-cache'])
    await ask()
    expect((await ask()).statusCode).toBe(429)
    const openTo = async (site: typeof server) =>
      ((await site.get('/api/v0/users/current', server.adminKey)).body as { open_data: string }).open_data
    expect([await openTo(open), await openTo(server)]).toEqual(['public', 'host'])
    await open.close()
  })
})

describe('a day that changes', () => {
  it('gets new files; the old ones stay until the next pass', async () => {
    const before = manifest().files
    await land(noon, 2.1)
    expect(await publish(server, openData)).toBe(1)
    const after = manifest().files
    expect(after.map(({ latest }) => latest)).toEqual(before.map(({ latest }) => latest))
    for (const [index, { path, revision }] of after.entries()) {
      expect(revision).toBeGreaterThan(before[index]?.revision ?? 0)
      expect(path).not.toBe(before[index]?.path)
    }
    expect(filesIn('daily').length).toBe(4)
    expect(await publish(server, openData)).toBe(0)
    expect(filesIn('daily').map((name) => `daily/${name}`)).toEqual(after.slice(0, 2).map(({ path }) => path))
    verify(manifest())
  })

  it('leftovers of a crash are removed, and missing files are written again', async () => {
    const { files } = manifest()
    writeFileSync(join(folder, 'daily', `.tmp-${date}.r9.parquet`), 'half')
    writeFileSync(join(folder, 'daily', `${date}.r999.parquet`), 'not in the manifest')
    writeFileSync(join(folder, 'daily', 'notes.txt'), 'not ours')
    writeFileSync(join(folder, '.tmp-manifest.json'), '{')
    rmSync(join(folder, files[0]?.path ?? ''))
    writeFileSync(join(folder, files[1]?.path ?? ''), 'PAR1')
    expect(await publish(server, openData)).toBe(1)
    verify(manifest())
    expect(filesIn('daily')).toEqual(
      [
        ...manifest()
          .files.slice(0, 2)
          .map(({ path }) => path.slice(6)),
        'notes.txt',
      ].sort(),
    )
    expect(existsSync(join(folder, '.tmp-manifest.json'))).toBe(false)
  })

  it('only the configured number of days is kept', async () => {
    await land(nextDay + 86_400, 2)
    await publish(server, openData)
    expect(manifest().files.length).toBe(2 * dataStatistics.length * dataFormats.length)
    await publish(server, { ...openData, days: 1 })
    await publish(server, { ...openData, days: 1 })
    expect(new Set(manifest().files.map(({ from }) => from))).toEqual(new Set([nextDay]))
    expect(filesIn('hourly').length).toBe(2)
    expect(await publish(server, openData)).toBe(1)
  })
})

describe('the lines of the README', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const lineOf = (language: string) => new RegExp(`\`\`\`${language}\\n(.*)\\n\`\`\``).exec(readme)?.[1] ?? ''
  const run = promisify(execFile)

  it('DuckDB reads what `rackrate export` writes', async () => {
    const env = environmentOf(server.queues, server.clickhouseAddress)
    const from = ['--from', `${day}`, '--to', `${day + 1}`]
    const child = spawnRackrate(['export', '--json', '--folder', join(root, 'data'), ...from], env)
    expect(await exited(child)).toBe(0)
    const { files } = JSON.parse(
      child
        .output()
        .split('\n')
        .find((line) => line.startsWith('{')) ?? '{}',
    ) as DataManifest
    expect(files.map(({ rows }) => rows)).toEqual([2, 6, 6, 3, 2, 12, 0, 0])
    const line = lineOf('sql')
    expect(line).toContain("'data/hourly/*.parquet'")
    const rows = await duck(line.replace("'data/", `'${root}/data/`))
    const points = await duck(
      `SELECT gpu_name, avg(avail_median) AS price FROM '${folder}/hourly/${date}*.csv.gz' GROUP BY ALL ORDER BY price`,
    )
    expect(rows.map(Object.values)).toEqual(points.map(Object.values))
    expect(rows.map((row) => Object.values(row)[0])).toEqual(['A100', 'L4'])
  })

  it.skipIf(!python)('pandas reads an address', async () => {
    const databases = { ...server, close: async () => {} }
    const open = await startServer({ databases, openData: { folder, access: 'public' } })
    const url = await open.app.listen({ host: '127.0.0.1', port: 0 })
    const line = lineOf('python')
    expect(line).toContain('http://127.0.0.1:8080/data/')
    const text = `import pandas\nprint((${line.replace('http://127.0.0.1:8080', url)}).to_json())`
    const { stdout } = await run(python ?? '', ['-c', text])
    expect(JSON.parse(stdout)).toEqual({ A100: 1.5, L4: 3 })
    await open.close()
  })
})

// The last one: at midnight its worker captures a day of the empty marketplace, which then is the newest complete one.
it('a worker that is killed leaves no half file, and the next pass makes the rest', async () => {
  for (let ago = 1; ago <= 4; ago += 1) await land(day - ago * 86_400 + 3600, 2)
  const before = JSON.stringify(manifest())
  const env = { ...environmentOf(server.queues, server.clickhouseAddress), OPEN_DATA_DIR: folder }
  const worker = spawnRackrate(['worker'], env)
  while (JSON.stringify(manifest()) === before && worker.exitCode === null) await pause(5)
  worker.kill('SIGKILL')
  await exited(worker)
  verify(manifest())
  await publish(server, openData)
  verify(manifest())
  const complete = (await selectDays(server.clickhouse)).filter((one) => one.complete)
  expect(manifest().files.length).toBe(complete.length * dataStatistics.length * dataFormats.length)
})
