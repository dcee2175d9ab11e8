import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatOf } from '../../import/formats.ts'
import { importFiles, importReport } from '../../import/import-files.ts'
import { mappedFormat } from '../../import/mapping.ts'
import type { Format } from '../../import/observation.ts'
import { vastMachinePrices } from '../../import/vast.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { realData } from '../data.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { expectNothingLeft, killedImport } from '../properties/killed-import.ts'

let databases: TestDatabases
let dir = ''
beforeAll(async () => {
  databases = await freshDatabases()
  dir = mkdtempSync(join(tmpdir(), 'rackrate-import-'))
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await databases?.close()
})

let files = 0
function write(content: string | Buffer): string {
  files += 1
  const file = join(dir, `file-${files}`)
  writeFileSync(file, content)
  return file
}

const run = async (format: Format, file: string) =>
  importReport.parse(await importFiles(databases, [file], { format }))

const columns = 'ts,machine,gpu,n,free,usd,rented,verified'
const mapped = (source: string) =>
  mappedFormat(
    'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,gpus=free,price=usd,rented=rented,verified=verified',
    source,
  )

const rowsOf = (source: string) =>
  selectRows<Record<string, unknown>>(
    databases.clickhouse,
    `SELECT toUnixTimestamp(slot) AS slot, machine_id, gpus, machines, rented, verified, price FROM observations
     WHERE source = {source:String} ORDER BY slot, machine_id, rented, price`,
    { source },
  )

const typesOf = (source: string) =>
  selectRows<Record<string, unknown>>(
    databases.clickhouse,
    `SELECT gpus, rental_type, country, min_gpus FROM observations WHERE source = {source:String} ORDER BY gpus, rental_type`,
    { source },
  )

/** Checks every row that this file has brought in, so the last test of each database does. */
async function expectClean(): Promise<void> {
  const range = await seriesRange(databases.clickhouse)
  expect(await check(databases, range)).toMatchObject({ problems: [] })
  await expectNothingLeft(databases)
}

describe('an import', () => {
  const first = `${columns}
1700000000,1,RTX 4090,4,3,0.40,no,yes
1700000000,1,RTX 4090,4,1,0.35,yes,yes
1700000000,2,RTX_4090,1,1,0.30,yes,deverified
1700000000,2,RTX 4090,1,1,0.3,yes,
1700000000,0,RTX 4090,0,1,0.40,no,
1700000000,4,RTX 4090,1,2,0.40,no,
1700000000,5,RTX 4090,1,1,-1,no,
1700000700,1,RTX 4090,4,4,0.40,no,yes
`
  it('imports valid rows, counts duplicates, and reports each invalid line', async () => {
    expect(await run(mapped('first'), write(gzipSync(first)))).toEqual({
      read: 8,
      inserted: 4,
      duplicate: 1,
      rejected: [
        { line: 6, reason: 'num_gpus is not a number of GPUs from 1 to 1024: 0' },
        { line: 7, reason: 'more gpus than num_gpus' },
        { line: 8, reason: 'price is not a price: -1' },
      ],
      rejected_total: 3,
      imports: [expect.stringMatching(/^[0-9a-f]{12}$/)],
    })
    // Each machine is counted once, on its available row where it has one.
    expect(await rowsOf('first')).toEqual([
      { slot: 1_700_000_000, machine_id: 1, gpus: 3, machines: 1, rented: false, verified: true, price: 0.4 },
      { slot: 1_700_000_000, machine_id: 1, gpus: 1, machines: 0, rented: true, verified: true, price: 0.35 },
      { slot: 1_700_000_000, machine_id: 2, gpus: 1, machines: 1, rented: true, verified: false, price: 0.3 },
      { slot: 1_700_000_700, machine_id: 1, gpus: 4, machines: 1, rented: false, verified: true, price: 0.4 },
    ])
    await expectNothingLeft(databases)
  })

  it('reads the Parquet file that ClickHouse writes of its rows', async () => {
    const { stream } = await databases.clickhouse.exec({
      query: `SELECT slot AS ts, machine_id AS machine, gpu_name AS gpu, num_gpus AS n, gpus AS free, price AS usd, rented, verified
        FROM observations WHERE source = 'first' FORMAT Parquet`,
    })
    expect(await run(mapped('parquet'), write(await buffer(stream)))).toMatchObject({ read: 4, inserted: 4 })
    expect(await rowsOf('parquet')).toEqual(await rowsOf('first'))
  })

  it('changes nothing if the rows are in the series, in any form of the file', async () => {
    const before = await rowsOf('first')
    expect(await run(mapped('first'), write(first))).toMatchObject({ read: 8, inserted: 0, duplicate: 5 })
    const [heading = '', ...lines] = first.trim().split('\n')
    const json = lines.map((line) => {
      const values = line.split(',')
      return JSON.stringify(
        Object.fromEntries(heading.split(',').map((name, index) => [name, values[index]])),
      )
    })
    expect(await run(mapped('first'), write(json.join('\n')))).toMatchObject({
      read: 8,
      inserted: 0,
      duplicate: 5,
    })
    expect(await rowsOf('first')).toEqual(before)
    await expectNothingLeft(databases)
  })

  it('adds only the new rows of an extended file, and counts no machine twice', async () => {
    const more = `${first}1700086400,2,RTX 4090,1,1,0.25,no,\n1700086400,1,RTX 4090,4,4,0.45,no,yes\n`
    expect(await run(mapped('first'), write(more))).toMatchObject({ read: 10, inserted: 2, duplicate: 5 })
    const machines = await selectRows<{ machines: number }>(
      databases.clickhouse,
      `SELECT sum(machines) AS machines FROM observations WHERE source = 'first' GROUP BY slot, machine_id`,
    )
    expect(machines).toEqual(Array(5).fill({ machines: 1 }))
    await expectNothingLeft(databases)
  })

  it('brings rows in again that were deleted by hand', async () => {
    const byHand = `ALTER TABLE observations/*!_local ON CLUSTER $cluster*/ DELETE WHERE source = 'first' AND slot = toDateTime(1700000700, 'UTC')`
    await execute(databases.clickhouse, byHand)
    expect(await run(mapped('first'), write(first))).toMatchObject({ inserted: 1, duplicate: 4 })
    await expectNothingLeft(databases)
  })

  it('adds nothing from an empty file', async () => {
    const nothing = { read: 0, inserted: 0, duplicate: 0, rejected: [], rejected_total: 0, imports: [] }
    expect(await run(mapped('none'), write(''))).toEqual(nothing)
    expect(await run(mapped('none'), write(`${columns}\n`))).toEqual(nothing)
  })

  it('leaves out a row more than a day ahead of the clock', async () => {
    await databases.clock.hold(1_699_913_000)
    const rows = ['1699999400,1,T4,1,1,1,no,', '1699999401,2,T4,1,1,1,no,']
    expect(await run(mapped('ahead'), write([columns, ...rows].join('\n')))).toMatchObject({
      read: 2,
      inserted: 1,
      rejected: [{ line: 3, reason: 'the time is in the future: 1699999401' }],
    })
    await databases.clock.release()
    await expectNothingLeft(databases)
  })

  it('takes several files as one, and names the file of a bad row', async () => {
    const [one, two] = [
      write(`${columns}\n1700000000,1,T4,1,1,1,no,\n`),
      write(`${columns}\nx,1,T4,1,1,1,no,\n`),
    ]
    expect(await importFiles(databases, [one, two, one], { format: mapped('several') })).toEqual({
      read: 3,
      inserted: 1,
      duplicate: 1,
      rejected: [{ line: 2, reason: 'slot is neither unix seconds nor an ISO 8601 time: x', file: two }],
      rejected_total: 1,
      imports: [expect.any(String)],
    })
  })

  it('adds nothing from a damaged file', async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, index) => `1700000000,${index},T4,1,1,${Math.random()},no,`,
    )
    const packed = gzipSync(`${columns}\n${rows.join('\n')}`)
    await expect(run(mapped('broken'), write(packed.subarray(0, -1000)))).rejects.toThrow('ends too early')
    expect(await rowsOf('broken')).toEqual([])
    await expectNothingLeft(databases)
  })
})

describe('rental types', () => {
  const file = (...rows: string[]) => write(['ts,machine,gpu,n,free,usd,rented,how', ...rows].join('\n'))
  const target = 'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,gpus=free,price=usd,rented=rented'
  const untyped = (source: string) => mappedFormat(target, source)
  const typed = (source: string) => mappedFormat(`${target},rental_type=how`, source)
  const two = ['1710000000,7,L4,8,3,0.5,yes,on_demand', '1710000000,7,L4,8,2,0.5,yes,reserved']

  it('at one price are rows of their own', async () => {
    expect(await run(typed('types'), file(...two))).toMatchObject({ inserted: 2, duplicate: 0 })
    expect(await run(typed('types'), file(...two))).toMatchObject({ inserted: 0, duplicate: 2 })
    expect(await typesOf('types')).toMatchObject([{ rental_type: 'reserved' }, { rental_type: 'on_demand' }])
    await expectNothingLeft(databases)
  })

  it('match the existing row if they are unknown, and the other way round', async () => {
    const [one = ''] = two
    expect(await run(untyped('late'), file(one))).toMatchObject({ inserted: 1 })
    expect(await run(typed('late'), file(one))).toMatchObject({ inserted: 0, duplicate: 1 })
    expect(await run(untyped('types'), file(one))).toMatchObject({ inserted: 0, duplicate: 1 })
    await expectNothingLeft(databases)
  })
})

describe('overlapping offers', () => {
  const heading = 'ts,machine_id,gpu_name,num_gpus,price_usd_hr,price_usd_gpu_hr,country,available'
  it('count as the largest one of a machine, in any order', async () => {
    const rows = [1, 6, 2].map((gpus) => `1710000000,7,GTX 1660,${gpus},${gpus * 0.05},0.05,DE,1`)
    const file = write([heading, ...rows].join('\n'))
    expect(await run(vastMachinePrices, file)).toMatchObject({ read: 3, inserted: 1, duplicate: 2 })
    expect(await rowsOf('vast-machine-prices')).toMatchObject([{ gpus: 6, machines: 1, price: 0.05 }])
    expect(await typesOf('vast-machine-prices')).toEqual([
      { gpus: 6, rental_type: 'unknown', country: 'DE', min_gpus: 1 },
    ])
    const later = write(`${heading}\n1710000000,7,GTX 1660,4,0.1,0.025,DE,1\n`)
    expect(await run(vastMachinePrices, later)).toMatchObject({ inserted: 0, duplicate: 1 })
    await expectClean()
  })
})

killedImport([['the buckets', /rows of some steps of whole hours[\s\S]*INSERT INTO cube/]], ['before'])

const data = realData()

describe.skipIf(!data)('real files', () => {
  it.each([
    ['vast-machine-prices', 'vast_machine_prices_2026-04-01.csv.gz', 761, 608, 151, 2],
    ['vast-offers', 'vast_offers_sample_2026-09-28.json', 21, 16, 0, 5],
    ['rental-offers-daily', 'rental_offers_daily_2026.csv.gz', 9530, 8151, 14, 1365],
  ] as const)('%s', async (name, file, read, inserted, duplicate, rejected_total) => {
    const format = await formatOf({ format: name, source: '' })
    const path = join(data ?? '', file)
    expect(await run(format, path)).toMatchObject({ read, inserted, duplicate, rejected_total })
    const again = await run(format, path)
    expect(again).toMatchObject({ read, inserted: 0, duplicate: inserted + duplicate, rejected_total })
    await expectClean()
  })
})
