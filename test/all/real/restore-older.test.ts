import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp } from '../../../ingest/backup.ts'
import { check, seriesRange } from '../../../ingest/check.ts'
import { fillPast } from '../../../ingest/fill-past.ts'
import { loadAll } from '../../../ingest/load.ts'
import { execute, selectRows } from '../../../platform/stores/clickhouse.ts'
import { migrate, throughDefault } from '../../../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../../../platform/stores/postgres.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { hasPostgres, type OwnServer, startPostgres } from '../../debian.ts'
import { previousSchema, previousSeries, previousSnapshot } from '../../previous-release.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'

// A restore drill: the backups were made by the previous release, and this release reads them.

const interval = 300

describe.skipIf(!hasPostgres)('a restore of backups of an earlier release', () => {
  let server: OwnServer
  let databases: TestDatabases
  let folder: string
  let restored = 0
  /** The slot that waited when the early backups were made, and was loaded before the late ones. */
  let waited: number
  /** The content of the series after an upgrade of the databases without a restore. */
  let whole: unknown

  beforeAll(async () => {
    server = await startPostgres()
    databases = await freshDatabases(server.url)
    folder = mkdtempSync(join(tmpdir(), 'rackrate-dumps-'))
    await previousSchema(databases)
    await previousSeries(databases)
    waited = (await previousSnapshot(databases)).slot
    // The second source of the recorded release has no series here, so it has no backup either.
    await databases.postgres.query(`DELETE FROM sources WHERE name = 'asia'`)
    await keep('before')
    await migrate(databases.postgres, databases.clickhouse, databases.clickhouseAddress)
    await finish(databases.postgres)
    await keep('after')
    whole = await contents()
  })
  afterAll(async () => {
    await databases?.close()
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  /** Backups are named once on a server. */
  const nameOf = (when: string) => `${when}-${databases.clickhouseAddress.database}`

  async function keep(when: string): Promise<void> {
    const { queues, clickhouseAddress } = databases
    const { database } = clickhouseAddress
    execFileSync('pg_dump', ['--format', 'custom', '--file', join(folder, when), queues.databaseUrl])
    await backUp(databases, { database, name: nameOf(when) })
  }

  /** Runs the jobs of the workers once. */
  async function finish(postgres: Postgres): Promise<void> {
    const stores = { ...databases, postgres }
    await loadAll(stores)
    await fillPast(stores)
    expect(await check(stores, await seriesRange(stores.clickhouse))).toMatchObject({ problems: [] })
  }

  const contents = () =>
    selectRows(
      databases.clickhouse,
      `SELECT (SELECT (count(), sum(cityHash64(*))) FROM observations) AS observations,
         (SELECT (count(), sum(cityHash64(* EXCEPT revision))) FROM cube FINAL) AS cube,
         (SELECT (count(), sum(cityHash64(* EXCEPT revision))) FROM flows FINAL) AS flows`,
    )

  /** Restores a dump into a database of its own. */
  function restorePostgres(when: string): string {
    const url = new URL(databases.queues.databaseUrl)
    restored += 1
    url.pathname += `_${restored}`
    execFileSync('createdb', ['--maintenance-db', server.url, url.pathname.slice(1)])
    execFileSync('pg_restore', ['--dbname', url.href, join(folder, when)])
    return url.href
  }

  async function restoreClickHouse(databaseUrl: string, when: string): Promise<unknown> {
    await throughDefault(databases.clickhouseAddress, (client) =>
      execute(client, 'DROP DATABASE {name:Identifier}/*! ON CLUSTER $cluster*/ SYNC', {
        name: databases.clickhouseAddress.database,
      }),
    )
    return rackrate(databaseUrl, 'restore', nameOf(when))
  }

  async function rackrate(databaseUrl: string, ...args: string[]): Promise<unknown> {
    const child = spawnRackrate([...args, '--json'], {
      ...environmentOf({ ...databases.queues, databaseUrl }, databases.clickhouseAddress),
      SNAPSHOT_INTERVAL: `${interval}`,
    })
    expect(await exited(child), child.output()).toBe(0)
    return JSON.parse(child.output())
  }

  async function expectWhole(databaseUrl: string): Promise<void> {
    const postgres = openPostgres(databaseUrl, (error) => console.error(error.message))
    try {
      await finish(postgres)
    } finally {
      await postgres.end()
    }
    expect(await contents()).toEqual(whole)
  }

  /** The slots of the spool are loaded again. */
  const reconciled = () => ({ done: true, adopted: 0, reopened: [waited], lost: [] })

  it('upgrades both stores', async () => {
    const url = restorePostgres('before')
    expect(await restoreClickHouse(url, 'before')).toEqual(reconciled())
    await expectWhole(url)
  })

  it('upgrades ClickHouse beside a PostgreSQL that was upgraded before', async () => {
    const url = restorePostgres('after')
    expect(await restoreClickHouse(url, 'before')).toEqual(reconciled())
    await expectWhole(url)
  })

  it('upgrades PostgreSQL beside a ClickHouse that was upgraded before', async () => {
    const after = restorePostgres('after')
    await restoreClickHouse(after, 'after')
    const url = restorePostgres('before')
    expect(await rackrate(url, 'reconcile')).toMatchObject({ done: true, reopened: [], lost: [] })
    await expectWhole(url)
  })
})
