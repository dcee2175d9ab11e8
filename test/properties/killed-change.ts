import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listImports } from '../../import/identity.ts'
import { importFiles } from '../../import/import-files.ts'
import { mappedFormat } from '../../import/mapping.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { openFaultProxy } from '../fault-proxy.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { expectNothingLeft } from './killed-import.ts'

type Moment = 'before' | 'after'
type Stages = readonly (readonly [name: string, statement: RegExp])[]

const map = 'slot=ts,machine_id=id,gpu_name=gpu,num_gpus=n,gpus=free,rented=rented,price=usd'
const heading = 'ts,id,gpu,n,free,rented,usd'

/** Tests of removals and replacements of imports in a process that is killed at a statement, before or after ClickHouse has done it. */
export function killedChange(
  { removal, replacement }: { removal: Stages; replacement: Stages },
  moments: readonly Moment[],
): void {
  let databases: TestDatabases
  let dir = ''
  let sources = 0
  beforeAll(async () => {
    databases = await freshDatabases()
    dir = mkdtempSync(join(tmpdir(), 'rackrate-change-'))
  })
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true })
    await databases?.close()
  })

  /** The rows of a source: two slots of a whole machine, and the rest of a machine that another import has a part of. */
  async function prepare() {
    sources += 1
    const source = `changed-${sources}`
    const day = 1_750_032_000 + sources * 86_400
    const write = (name: string, ...rows: string[]) => {
      const file = join(dir, `${source}-${name}.csv`)
      writeFileSync(file, [heading, ...rows].join('\n'))
      return file
    }
    const whole = (usd: number) => [day, day + 7200].map((slot) => `${slot},1,L4,8,8,no,${usd}`)
    const part = `${day},2,L4,8,5,no,1`
    const format = mappedFormat(map, source)
    const { imports } = await importFiles(databases, [write('wrong', ...whole(10), part)], { format })
    await importFiles(databases, [write('other', `${day},2,L4,8,3,yes,2`)], { format })
    const id = imports[0] ?? ''
    return { source, id, right: write('right', ...whole(1), part) }
  }

  /** Runs a command that is killed at a statement, and what a worker does at its next slot. */
  async function killAt(command: readonly string[], statement: RegExp, when: Moment): Promise<void> {
    const proxy = await openFaultProxy(databases.clickhouseAddress.url)
    try {
      const environment = environmentOf(databases.queues, { ...databases.clickhouseAddress, url: proxy.url })
      const victim = spawnRackrate([...command], environment)
      const struck = proxy.arm(statement, when, () => victim.kill('SIGKILL'))
      expect(await exited(victim), victim.output()).toBe('SIGKILL')
      await struck
    } finally {
      proxy.close()
    }
    await loadAll(databases)
  }

  const rowsOf = (source: string) =>
    selectRows<{ machine_id: number; gpus: number; machines: number; price: number }>(
      databases.clickhouse,
      `SELECT machine_id, gpus, machines, price FROM observations WHERE source = {source:String} ORDER BY machine_id, price`,
      { source },
    )

  async function expectOne(source: string, files: readonly string[]): Promise<void> {
    const found = (await listImports(databases)).filter((one) => one.source === source)
    expect(found.map(({ file }) => file?.replace(/^.*-/, '')).sort()).toEqual(files)
    await expectNothingLeft(databases)
    expect((await databases.postgres.query('SELECT * FROM import_work')).rows).toEqual([])
    expect(await check(databases, await seriesRange(databases.clickhouse))).toMatchObject({ problems: [] })
  }

  const other = { machine_id: 2, gpus: 3, price: 2 }

  it.each(removal)('a removal that is killed while %s is finished by a worker', async (_, statement) => {
    for (const when of moments) {
      const { source, id } = await prepare()
      await killAt(['imports', 'remove', id], statement, when)
      // The other import counts the machine now.
      expect(await rowsOf(source), when).toEqual([{ ...other, machines: 1 }])
      await expectOne(source, ['other.csv'])
    }
  })

  it.each(replacement)(
    'a replacement that is killed while %s is finished by a worker',
    async (_, statement) => {
      for (const when of moments) {
        const { source, id, right } = await prepare()
        await killAt(['import', '--replace', id, right], statement, when)
        const rows = await rowsOf(source)
        expect(rows, when).toHaveLength(4)
        expect(rows.slice(0, 2), when).toEqual(
          Array(2).fill({ machine_id: 1, gpus: 8, machines: 1, price: 1 }),
        )
        expect(rows.slice(2), when).toMatchObject([{ machine_id: 2, gpus: 5, price: 1 }, other])
        expect(
          rows.filter(({ machines }) => machines === 1),
          when,
        ).toHaveLength(3)
        await expectOne(source, ['other.csv', 'right.csv'])
      }
    },
  )

  it('a replacement that is killed before its rows are compared has changed nothing', async () => {
    const { source, id, right } = await prepare()
    const before = await rowsOf(source)
    await killAt(['import', '--replace', id, right], /CREATE TABLE \{table:Identifier\}/, 'after')
    expect(await rowsOf(source)).toEqual(before)
    expect(
      await importFiles(databases, [right], { format: mappedFormat(map, `${source}-next`) }),
    ).toMatchObject({ inserted: 3 })
    await expectOne(source, ['other.csv', 'wrong.csv'])
  })
}
