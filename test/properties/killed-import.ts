import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatOf } from '../../import/formats.ts'
import { importFiles, importReport } from '../../import/import-files.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { openFaultProxy } from '../fault-proxy.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'

/** Imports leave no table behind, and nothing that is still to be rolled up. */
export async function expectNothingLeft({ postgres, clickhouse }: Stores): Promise<void> {
  expect(await selectRows(clickhouse, `SHOW TABLES LIKE 'import_stage_%'`)).toEqual([])
  const { rows } = await postgres.query('SELECT * FROM pending_rollups')
  expect(rows).toEqual([])
}

/** Tests of imports that are killed at a statement, before or after ClickHouse has done it. */
export function killedImport(
  stages: readonly (readonly [string, RegExp])[],
  moments: readonly ('before' | 'after')[],
): void {
  let databases: TestDatabases
  let dir = ''
  let files = 0
  beforeAll(async () => {
    databases = await freshDatabases()
    dir = mkdtempSync(join(tmpdir(), 'rackrate-import-'))
  })
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true })
    await databases?.close()
  })

  it.each(stages)(
    'an import that is killed while %s is completed by the next one',
    async (stage, statement) => {
      const proxy = await openFaultProxy(databases.clickhouseAddress.url)
      const environment = environmentOf(databases.queues, { ...databases.clickhouseAddress, url: proxy.url })
      for (const when of moments) {
        const source = `killed-${when}-${stage}`.replaceAll(' ', '-')
        const map = 'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,gpus=free,price=usd,rented=rented'
        files += 1
        const day = Math.floor(Date.now() / 86_400_000) * 86_400 - files * 86_400
        const rows = [300, 600, 7200].flatMap((seconds) =>
          [1, 2, 3].map((machine) => `${day + seconds},${machine},L4,2,2,0.${machine},no,yes`),
        )
        const file = join(dir, `file-${files}`)
        writeFileSync(file, ['ts,machine,gpu,n,free,usd,rented,verified', ...rows].join('\n'))
        const victim = spawnRackrate(['import', file, '--map', map, '--source', source], environment)
        const struck = proxy.arm(statement, when, () => victim.kill('SIGKILL'))
        expect(await exited(victim), victim.output()).toBe('SIGKILL')
        await struck

        const { read, inserted, duplicate } = importReport.parse(
          await importFiles(databases, [file], { format: await formatOf({ map, source }) }),
        )
        expect([read, inserted + duplicate], source).toEqual([9, 9])
        const [sums] = await selectRows(
          databases.clickhouse,
          'SELECT count() AS count, sum(machines) AS machines FROM observations WHERE source = {source:String}',
          { source },
        )
        expect(sums, source).toEqual({ count: 9, machines: 9 })
        await expectNothingLeft(databases)
      }
      expect(await check(databases, await seriesRange(databases.clickhouse))).toMatchObject({ problems: [] })
      proxy.close()
    },
  )
}
