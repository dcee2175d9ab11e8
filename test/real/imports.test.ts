import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findImport, listImports } from '../../import/identity.ts'
import { importFiles, tryFiles } from '../../import/import-files.ts'
import { mappedFormat } from '../../import/mapping.ts'
import { removeImport } from '../../import/remove-import.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { expectNothingLeft } from '../properties/killed-import.ts'

let databases: TestDatabases
let dir = ''
beforeAll(async () => {
  databases = await freshDatabases()
  dir = mkdtempSync(join(tmpdir(), 'rackrate-imports-'))
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await databases?.close()
})

const heading = 'ts,id,gpu,n,free,rented,usd,host'
const map = 'slot=ts,machine_id=id,gpu_name=gpu,num_gpus=n,gpus=free,rented=rented,price=usd,host_id=host'

function write(name: string, ...rows: string[]): string {
  const file = join(dir, name)
  writeFileSync(file, [heading, ...rows].join('\n'))
  return file
}

const run = (source: string, file: string, replaces?: Awaited<ReturnType<typeof findImport>>) =>
  importFiles(databases, [file], { format: mappedFormat(map, source), replaces })

const rowsOf = (source: string) =>
  selectRows<{
    slot: number
    gpu_name: string
    num_gpus: number
    gpus: number
    machines: number
    price: number
  }>(
    databases.clickhouse,
    `SELECT toUnixTimestamp(slot) AS slot, gpu_name, num_gpus, gpus, machines, price FROM observations
     WHERE source = {source:String} ORDER BY slot, price, rented`,
    { source },
  )

/** All derived rows, without the times at which they were computed. */
async function derived(): Promise<unknown> {
  await publishDays(databases)
  const { clickhouse } = databases
  return {
    cube: await selectRows(clickhouse, 'SELECT * EXCEPT (revision) FROM cube FINAL ORDER BY ALL'),
    prices: await selectRows(
      clickhouse,
      'SELECT * EXCEPT (revision) FROM price_histogram FINAL ORDER BY ALL',
    ),
    flows: await selectRows(clickhouse, 'SELECT * EXCEPT (revision) FROM flows FINAL ORDER BY ALL'),
    days: await selectRows(clickhouse, 'SELECT * EXCEPT (revision) FROM machine_days FINAL ORDER BY ALL'),
    slots: await selectRows(clickhouse, 'SELECT * EXCEPT (revision) FROM slots FINAL ORDER BY ALL'),
  }
}

async function expectClean(): Promise<void> {
  await publishDays(databases)
  expect(await check(databases, await seriesRange(databases.clickhouse))).toMatchObject({ problems: [] })
  await expectNothingLeft(databases)
}

const day = 1_750_032_000
const machine = (id: string, usd: number, at = day) => `${at},${id},L40S,8,8,no,${usd},`

describe('an import', () => {
  it('is listed with its file, its content, its format, its rows and its range', async () => {
    const file = write('first.csv', machine('m1', 1), machine('m2', 2, day + 300), `x,m3,L40S,8,8,no,1,`)
    const { imports } = await run('listed', file)
    expect(await listImports(databases)).toEqual([
      {
        id: imports[0],
        source: 'listed',
        file,
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        format: `map ${map}`,
        imported_at: expect.any(Number),
        read: 3,
        left_out: 1,
        left_out_rows: [{ line: 4, reason: 'slot is neither unix seconds nor an ISO 8601 time: x' }],
        rows: 2,
        from_slot: day,
        to_slot: day + 300,
      },
    ])
    await expectClean()
  })

  it('adds nothing when repeated, and is listed once', async () => {
    const before = await listImports(databases)
    expect(await run('listed', join(dir, 'first.csv'))).toMatchObject({
      inserted: 0,
      duplicate: 2,
      imports: [],
    })
    expect(await listImports(databases)).toEqual(before)
  })

  it('has only the new rows of an extended file', async () => {
    const more = write('more.csv', machine('m1', 1), machine('m2', 2, day + 300), machine('m1', 1, day + 600))
    const { imports } = await run('listed', more)
    expect(await listImports(databases)).toMatchObject([{ rows: 2 }, { id: imports[0], rows: 1 }])
  })

  it('leaves everything as before when it is removed', async () => {
    const before = await derived()
    const rows = [0, 300, 7200, 86_400, 30 * 86_400].flatMap((later) => [
      machine('m7', 3, day + later),
      `${day + later},m8,H100 SXM,4,1,no,2,`,
      `${day + later},m8,H100 SXM,4,3,yes,2.5,`,
    ])
    const { imports } = await run('removed', write('removed.csv', ...rows))
    expect(await derived()).not.toEqual(before)
    await removeImport(databases, await findImport(databases, imports[0] ?? ''))
    expect(await derived()).toEqual(before)
    expect((await listImports(databases)).map(({ source }) => source)).not.toContain('removed')
    await expectClean()
  })

  it('leaves rows of its machines from another import when removed, and these count them', async () => {
    const available = await run('parts', write('available.csv', `${day},p1,L4,8,5,no,1,`))
    await run('parts', write('rented.csv', `${day},p1,L4,8,3,yes,2,`, `${day},p2,L4,8,3,yes,3,`))
    expect((await rowsOf('parts')).map(({ gpus, machines }) => [gpus, machines])).toEqual([
      [5, 1],
      [3, 0],
      [3, 1],
    ])
    await removeImport(databases, await findImport(databases, available.imports[0] ?? ''))
    expect((await rowsOf('parts')).map(({ gpus, machines }) => [gpus, machines])).toEqual([
      [3, 1],
      [3, 1],
    ])
    await expectClean()
  })

  it.each(['nothing', 'ffffffffffff', 'earlier:', 'earlier:none', '', "'; DROP TABLE"])(
    'is unknown with the id %j',
    async (id) => {
      await expect(findImport(databases, id)).rejects.toThrow('There is no import')
    },
  )
})

describe('a corrected file', () => {
  const wrong = [machine('m1', 10), machine('m2', 0.8)]
  const right = [machine('m1', 1), machine('m2', 0.8)]

  it('is refused with the command that replaces the wrong one, and then replaces it', async () => {
    const { imports } = await run('mine', write('wrong.csv', ...wrong))
    const file = write('right.csv', ...right)
    await expect(run('mine', file)).rejects.toThrow(`rackrate import --replace ${imports[0]} ${file}`)
    expect((await rowsOf('mine')).map(({ price }) => price)).toEqual([0.8, 10])
    const replaced = await run('mine', file, await findImport(databases, imports[0] ?? ''))
    expect(replaced).toMatchObject({ inserted: 2, duplicate: 0 })
    expect((await rowsOf('mine')).map(({ gpus, price }) => [gpus, price])).toEqual([
      [8, 0.8],
      [8, 1],
    ])
    const mine = (await listImports(databases)).filter(({ source }) => source === 'mine')
    expect(mine).toMatchObject([{ id: replaced.imports[0], file, rows: 2 }])
    await expectClean()
  })

  it('changes nothing if its content equals the replaced import', async () => {
    const file = join(dir, 'right.csv')
    const [before] = (await listImports(databases)).filter(({ source }) => source === 'mine')
    await run('mine', file, await findImport(databases, before?.id ?? ''))
    expect((await rowsOf('mine')).map(({ price }) => price)).toEqual([0.8, 1])
    const [after] = (await listImports(databases)).filter(({ source }) => source === 'mine')
    expect(after).toMatchObject({ id: before?.id, rows: 2 })
    await expectClean()
  })

  it('replaces rows of an earlier release, which go by their source', async () => {
    await run('old', write('old.csv', ...wrong))
    const old = `ALTER TABLE observations/*!_local ON CLUSTER $cluster*/ UPDATE import_id = 0 WHERE source = 'old'`
    await execute(databases.clickhouse, old)
    await databases.postgres.query(`DELETE FROM imports WHERE source = 'old'`)
    const file = write('new.csv', ...right)
    await expect(run('old', file)).rejects.toThrow(`rackrate import --replace earlier:old ${file}`)
    expect((await listImports(databases)).filter(({ source }) => source === 'old')).toMatchObject([
      { id: 'earlier:old', file: null, rows: 2 },
    ])
    await run('old', file, await findImport(databases, 'earlier:old'))
    expect((await rowsOf('old')).map(({ price }) => price)).toEqual([0.8, 1])
    await expectClean()
  })
})

/** Each adds to a machine that the series has with 3 of its 8 GPUs rented: id p, L4, host 7. */
describe('rows about a machine that another import has', () => {
  beforeAll(async () => {
    await run('there', write('there.csv', `${day},p,L4,8,3,yes,1,7`, `${day},w,L4,8,8,no,1,7`))
  })

  it.each([
    ['the other GPUs', `${day},p,L4,8,5,no,1.2,7`],
    ['some of the other GPUs', `${day},p,L4,8,1,no,1.3,7`],
    ['another slot', `${day + 300},p,L4,8,8,no,1.2,7`],
    ['another machine', `${day},q,L4,8,8,no,1.2,7`],
  ])('are accepted if they are about %s', async (name, row) => {
    const { report } = await tryFiles(databases, [write(`${name}.csv`, row)], {
      format: mappedFormat(map, 'there'),
    })
    expect(report).toMatchObject({ inserted: 1 })
  })

  it.each([
    ['the same', `${day},p,L4,8,3,yes,1,7`],
    ['the same of an owner that is not known', `${day},p,L4,8,3,yes,1,`],
    ['a part of the machine', `${day},w,L4,2,2,no,1.1,7`],
  ])('are duplicates if they are about %s', async (name, row) => {
    const { report } = await tryFiles(databases, [write(`${name}.csv`, row)], {
      format: mappedFormat(map, 'there'),
    })
    expect(report).toMatchObject({ inserted: 0, duplicate: 1 })
  })

  it.each([
    ['more GPUs than it has', `${day},p,L4,8,6,no,1.2,7`],
    ['the same GPUs at another price', `${day},w,L4,8,8,no,1.2,7`],
    ['the same GPUs as rented', `${day},w,L4,8,8,yes,1,7`],
    ['another size', `${day},p,L4,16,5,no,1.2,7`],
    ['a larger machine', `${day},w,L4,16,16,no,1.2,7`],
    ['another name', `${day},p,L40,8,5,no,1.2,7`],
    ['another owner', `${day},p,L4,8,5,no,1.2,8`],
  ])('are refused if they are about %s', async (name, row) => {
    const file = write(`${name}.csv`, machine('other', 1), row)
    await expect(run('there', file)).rejects.toThrow(`${file}, line 3: this machine would have more GPUs`)
    expect(await rowsOf('there')).toHaveLength(2)
  })
})

describe('a dry run', () => {
  it('lists the rows to take and to leave out, and changes nothing', async () => {
    const file = write(
      'dry.csv',
      machine('d1', 1),
      machine('d2', 1.5),
      machine('d1', 2, day + 300),
      'x,y,z,0,0,no,1,',
    )
    const before = [await derived(), await listImports(databases)]
    const { report, taken } = await tryFiles(databases, [file], { format: mappedFormat(map, 'dry') })
    expect(report).toMatchObject({ read: 4, inserted: 3, rejected_total: 1, rejected: [{ line: 5 }] })
    expect(taken.bySlot).toEqual([
      { slot: day, gpu_name: 'L40S', machines: 2, gpus: 16, lowest: 1, highest: 1.5 },
      { slot: day + 300, gpu_name: 'L40S', machines: 1, gpus: 8, lowest: 2, highest: 2 },
    ])
    expect([await derived(), await listImports(databases)]).toEqual(before)
    await expectNothingLeft(databases)
  })

  it('leaves a source with rentals unchanged, also for files without rentals or refused files', async () => {
    const priceOnly = mappedFormat('slot=at,machine_id=id,gpu_name=gpu,num_gpus=n,price=usd', 'there')
    expect(priceOnly.hasRentals).toBe(false)
    const sources = async () => (await databases.postgres.query('SELECT source FROM price_only_sources')).rows
    const good = join(dir, 'price-only.csv')
    writeFileSync(good, `at,id,gpu,n,usd\n${day + 600},o1,L4,1,0.5\n`)
    await tryFiles(databases, [good], { format: priceOnly })
    const odd = join(dir, 'price-only-odd.csv')
    writeFileSync(odd, ['at,id,gpu,n,usd', ...Array(20).fill(`${day + 600},o2,L4,0,0.5`)].join('\n'))
    await expect(importFiles(databases, [odd], { format: priceOnly })).rejects.toThrow('Nothing was imported')
    expect(await sources()).toEqual([])
  })

  it('is summarized by GPU name for many slots', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => machine('d1', 1 + index, day + 300 * index))
    const { taken } = await tryFiles(databases, [write('many.csv', ...rows)], {
      format: mappedFormat(map, 'dry'),
    })
    expect(taken).toEqual({
      bySlot: undefined,
      byName: [
        {
          gpu_name: 'L40S',
          slots: 50,
          first: day,
          last: day + 300 * 49,
          machines: 50,
          gpus: 400,
          lowest: 1,
          highest: 50,
        },
      ],
    })
  })
})

describe('offers of one machine in a file', () => {
  const asks = ['1,0.31', '1,0.31', '2,0.309', '4,0.3085']
  const rowsFor = (id: string) =>
    asks.map((ask) => `${day},${id},RTX 5090,${ask.replace(',', `,${ask.split(',')[0]},no,`)},9002`)

  it('overlap where they are of different sizes: the largest is the machine', async () => {
    expect(await run('offers', write('asks.csv', ...rowsFor('o1')))).toMatchObject({
      read: 4,
      inserted: 1,
      duplicate: 3,
    })
    expect(await rowsOf('offers')).toEqual([
      { slot: day, gpu_name: 'RTX 5090', num_gpus: 4, gpus: 4, machines: 1, price: 0.3085 },
    ])
  })

  it.each([
    ['prices of regions', ['a,L4,1,1,no,0.5,', 'a,L4,1,1,no,0.6,'], 'more GPUs than the machine'],
    ['names of regions', ['a,L4,8,4,no,0.5,', 'a,A100,8,4,no,0.5,'], 'different values of gpu_name'],
    ['two owners', ['a,L4,8,4,no,0.5,1', 'a,L4,8,4,no,0.6,2'], 'different values of host_id'],
    [
      'two sizes, one of them rented',
      ['a,L4,8,8,no,0.5,', 'a,L4,4,4,yes,0.5,'],
      'different values of num_gpus',
    ],
    ['more GPUs than it has', ['a,L4,8,5,no,0.5,', 'a,L4,8,4,yes,0.5,'], 'more GPUs than the machine'],
    ['one state in two sizes', ['a,L4,8,1,no,0.5,', 'a,L4,8,2,no,0.5,'], 'different values of gpus'],
    [
      'the largest offer at two prices',
      ['a,L4,1,1,no,0.5,', 'a,L4,4,4,no,0.5,', 'a,L4,4,4,no,0.6,'],
      'more GPUs than the machine',
    ],
  ])('are left out where they have %s', async (name, rows, reason) => {
    const file = write(`odd ${name}.csv`, machine('good', 1), ...rows.map((row) => `${day},${row}`))
    const { report } = await tryFiles(databases, [file], { format: mappedFormat(map, 'regions') })
    expect(report).toMatchObject({ inserted: 1, duplicate: 0, rejected_total: rows.length })
    expect(report.rejected.map((row) => row.line)).toEqual(rows.map((_, index) => index + 3))
    expect(report.rejected[0]?.reason).toContain(reason)
  })

  it('are listed by check if an earlier release took them, with the command that removes them', async () => {
    const { imports } = await run('past', write('past.csv', machine('m1', 1), machine('m2', 2)))
    const both = `ALTER TABLE observations/*!_local ON CLUSTER $cluster*/ UPDATE num_gpus = 4 WHERE source = 'past'`
    await execute(databases.clickhouse, both)
    const { problems } = await check(databases, { from: day, to: day + 1 })
    const found = problems.find(({ table }) => table === 'observations')
    expect(found?.problem).toMatch(/^observations: 2 machines of past in 1 slot from .* has 8 of 4 GPUs\./)
    expect(found?.fix).toBe(`rackrate imports remove ${imports[0]}`)
    await removeImport(databases, await findImport(databases, imports[0] ?? ''))
    await expectClean()
  })
})

describe('a file of which many rows are odd', () => {
  const rows = (good: number, odd: number) => [
    ...Array.from({ length: good }, (_, index) => machine(`g${index}`, 1)),
    ...Array.from({ length: odd }, (_, index) => machine(`o${index}`, 0)),
  ]
  it('is refused with its first ten odd rows, unless they are accepted', async () => {
    const file = write('odd.csv', ...rows(50, 11))
    const format = mappedFormat(map, 'odd')
    const refused = importFiles(databases, [file], { format })
    await expect(refused).rejects.toThrow('11 of 61 rows cannot be used, which is more than a tenth')
    await expect(refused).rejects.toThrow(/line 52: [\s\S]*line 61: [\s\S]*--accept/)
    const accepted = await importFiles(databases, [file], { format, accept: true })
    expect(accepted).toMatchObject({ inserted: 50, rejected_total: 11 })
  })

  it.each([
    [5, 10],
    [120, 12],
  ])('is taken with %i good and %i odd ones', async (good, odd) => {
    const file = write(`few ${odd}.csv`, ...rows(good, odd))
    const { report } = await tryFiles(databases, [file], { format: mappedFormat(map, 'few') })
    expect(report).toMatchObject({ inserted: good, rejected_total: odd })
  })
})
