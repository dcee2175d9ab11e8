import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp, restore } from '../../../ingest/backup.ts'
import { capture } from '../../../ingest/capture.ts'
import { check, seriesRange } from '../../../ingest/check.ts'
import { insertObservations, loadAll, markSlots, tokenOf } from '../../../ingest/load.ts'
import { rebuildSeries } from '../../../ingest/pending-rollups.ts'
import { reconcile } from '../../../ingest/reconcile.ts'
import { rangeToCheck } from '../../../ingest/requested-range.ts'
import { execute, selectRows } from '../../../platform/stores/clickhouse.ts'
import { migrate, throughDefault } from '../../../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../../../platform/stores/postgres.ts'
import { purge } from '../../../workers/processors/purge.ts'
import { expectComplete } from '../../complete.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { hasPostgres, type OwnServer, startPostgres } from '../../debian.ts'
import { smallMarket } from '../../market.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'

// Backups of both stores, made at different times, put together in the ways that a bad day brings about (docs/operations.md).

const slotAt = (n: number) => 1_752_000_000 + n * 300

describe.skipIf(!hasPostgres)('out of backups', () => {
  let server: OwnServer
  let databases: TestDatabases
  let folder: string
  /** The database that was restored last. */
  let postgres: Postgres
  let postgresUrl: string
  let restored = 0
  /** The contents of the series without losses: slots 0 to 9. */
  let whole: unknown

  // Early backups: in PostgreSQL, slots 0 to 3 are loaded and 4 waits; in ClickHouse, 0 to 6 are loaded. Late backups: 0 to 8 are loaded, and half of
  // 9.
  beforeAll(async () => {
    server = await startPostgres()
    databases = await freshDatabases(server.url)
    folder = mkdtempSync(join(tmpdir(), 'rackrate-dumps-'))
    const { clickhouseAddress } = databases
    await smallMarket(databases.postgres, 60)
    await take(databases.postgres, 0, 1, 2, 3)
    await loadAll(databases)
    await take(databases.postgres, 4)
    dump('early')
    await take(databases.postgres, 5, 6)
    await loadAll(databases)
    await backUp(databases, { database: clickhouseAddress.database, name: 'early' })
    await take(databases.postgres, 7, 8)
    await loadAll(databases)
    await take(databases.postgres, 9)
    const { rows } = await databases.postgres.query<{ rows: string }>(
      'SELECT rows FROM spool WHERE slot = $1',
      [slotAt(9)],
    )
    await insertObservations(byHand(), rows[0]?.rows ?? '', {
      slot: slotAt(9),
      source: 'market',
      token: tokenOf(`snapshot:${slotAt(9)}`, 0, rows[0]?.rows ?? ''),
    })
    dump('late')
    expect(await rackrate(databases.queues.databaseUrl, 'backup', 'late')).toMatchObject({ name: 'late' })
    await loadAll(databases)
    await expectComplete(databases)
    whole = await contents()
  })
  afterAll(async () => {
    await postgres?.end()
    await databases?.close()
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  const stores = () => ({ postgres, clickhouse: databases.clickhouse })
  /** Writes to the series without the lock, with a revision newer than the test's revisions. */
  const byHand = () => ({ clickhouse: databases.clickhouse, nextRevision: async () => 1_000_000 })

  async function take(from: Postgres, ...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      await from.query('UPDATE gpu_listings SET price = price + 0.01')
      await capture(from, slotAt(number))
    }
  }

  async function rackrate(databaseUrl: string, ...args: string[]): Promise<unknown> {
    const child = spawnRackrate(
      [...args, '--json'],
      environmentOf({ ...databases.queues, databaseUrl }, databases.clickhouseAddress),
    )
    expect(await exited(child), child.output()).toBe(0)
    return JSON.parse(child.output())
  }

  const dump = (name: string) =>
    execFileSync('pg_dump', [
      '--format',
      'custom',
      '--file',
      join(folder, name),
      databases.queues.databaseUrl,
    ])

  async function restorePostgres(name: 'early' | 'late'): Promise<void> {
    await postgres?.end()
    restored += 1
    const url = new URL(databases.queues.databaseUrl)
    url.pathname += `_${restored}`
    postgresUrl = url.href
    execFileSync('createdb', ['--maintenance-db', server.url, url.pathname.slice(1)])
    execFileSync('pg_restore', ['--dbname', postgresUrl, join(folder, name)])
    postgres = openPostgres(postgresUrl, (error) => console.error(error.message))
  }

  const dropSeries = () =>
    throughDefault(databases.clickhouseAddress, (client) =>
      execute(client, 'DROP DATABASE {name:Identifier}/*! ON CLUSTER $cluster*/ SYNC', {
        name: databases.clickhouseAddress.database,
      }),
    )

  async function restoreClickHouse(name: 'early' | 'late'): Promise<void> {
    const { clickhouseAddress } = databases
    await dropSeries()
    await throughDefault(clickhouseAddress, (clickhouse) =>
      restore({ postgres, clickhouse }, { database: clickhouseAddress.database, name }),
    )
  }

  const forgetSlot = async (number: number) => {
    const slot = { slot: slotAt(number), source: 'market', revision: 2_000_000 }
    await execute(databases.clickhouse, 'load/forget_snapshot', slot)
    await execute(databases.clickhouse, 'slots/forget', slot)
  }

  const contents = () =>
    selectRows(
      databases.clickhouse,
      `SELECT (SELECT (count(), sum(cityHash64(*))) FROM observations) AS observations,
         (SELECT (count(), sum(cityHash64(* EXCEPT revision))) FROM cube FINAL) AS cube,
         (SELECT (count(), sum(cityHash64(* EXCEPT revision))) FROM flows FINAL) AS flows`,
    )

  const expectLoaded = async () => {
    await loadAll(stores())
    await expectComplete({ ...databases, postgres })
  }

  const expectWhole = async () => {
    await expectLoaded()
    expect(await contents()).toEqual(whole)
  }

  it('ClickHouse alone: what it lacks comes out of the spool', async () => {
    await restorePostgres('late')
    await dropSeries()
    expect(await rackrate(postgresUrl, 'restore', 'early')).toEqual({
      done: true,
      adopted: 0,
      reopened: [slotAt(7), slotAt(8), slotAt(9)],
      lost: [],
    })
    await expectWhole()
  })

  it('ClickHouse into a database that is migrated and empty', async () => {
    const { clickhouse, clickhouseAddress } = databases
    await restorePostgres('late')
    await dropSeries()
    await migrate(postgres, clickhouse, clickhouseAddress)
    await throughDefault(clickhouseAddress, (client) =>
      restore({ postgres, clickhouse: client }, { database: clickhouseAddress.database, name: 'late' }),
    )
    expect(await migrate(postgres, clickhouse, clickhouseAddress)).toEqual([])
    await expectWhole()
  })

  it('nothing is loaded before the stores agree', async () => {
    await restorePostgres('late')
    await restoreClickHouse('early')
    await expect(loadAll(stores())).rejects.toThrow('ClickHouse is older')
    await restorePostgres('early')
    await restoreClickHouse('late')
    await expect(loadAll(stores())).rejects.toThrow('PostgreSQL is older')
  })

  it('PostgreSQL alone: it adopts the snapshots of ClickHouse and continues its revisions', async () => {
    await restorePostgres('early')
    await restoreClickHouse('late')
    expect(await reconcile(stores())).toEqual({
      done: true,
      adopted: 4,
      reopened: [],
      lost: [],
    })
    await expectLoaded()
    // The import is in the hour of the other slots, so that its roll-up has to win over theirs.
    await take(postgres, 11)
    await expectLoaded()
  })

  it('both, from different times', async () => {
    await restorePostgres('early')
    await restoreClickHouse('early')
    expect(await reconcile(stores())).toEqual({
      done: true,
      adopted: 2,
      reopened: [],
      lost: [],
    })
    await expectLoaded()
  })

  it('a load that was cut short is done again, whether or not ClickHouse remembers it', async () => {
    await restorePostgres('late')
    await restoreClickHouse('late')
    // The restore of ClickHouse is invisible: it has all snapshots that PostgreSQL has recorded as loaded. But it lost the token
    // of slot 9.
    await expectWhole()
    await restorePostgres('late')
    expect(await reconcile(stores())).toMatchObject({ reopened: [], lost: [] })
    await expectWhole()
    // Now it has a token whose rows are gone.
    await restorePostgres('late')
    await forgetSlot(9)
    expect((await reconcile(stores())).reopened).toEqual([slotAt(9)])
    await expectWhole()
  })

  it('a slot that ClickHouse shows with a part of its rows is not taken for whole', async () => {
    await restorePostgres('late')
    await restoreClickHouse('late')
    await execute(
      databases.clickhouse,
      'DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ WHERE slot = {slot:DateTime} AND machine_id % 2 = 0',
      { slot: slotAt(9) },
    )
    await execute(databases.clickhouse, 'slots/show', {
      from: slotAt(9),
      to: slotAt(10),
      unfinished: [],
      revision: 1_000_000,
    })
    expect((await reconcile(stores())).reopened).toEqual([slotAt(9)])
    await expectWhole()
  })

  it('a load that PostgreSQL has forgotten is finished when all of it is there', async () => {
    await restorePostgres('early')
    await restoreClickHouse('late')
    const nine = { slot: slotAt(9), source: 'market' }
    const [row] = await selectRows<{ found: number }>(databases.clickhouse, 'load/count_snapshot', nine)
    const slot = { ...nine, observations: row?.found ?? 0 }
    await markSlots(byHand(), [slot], false)
    expect((await reconcile(stores())).adopted).toBe(5)
    await expectWhole()
  })

  it('observations without a ledger are entered and derived again, also from imports', async () => {
    await restorePostgres('late')
    await restoreClickHouse('late')
    await expectWhole()
    await postgres.query('DELETE FROM spool')
    await execute(databases.clickhouse, 'TRUNCATE TABLE /*!$database.*/slots/*!_local ON CLUSTER $cluster*/')
    const imported = [slotAt(2), 9, 'RTX 4090', 1, 1, 1, false, false, 'unknown', 1, null, null, 'import']
    await insertObservations(byHand(), JSON.stringify(imported), {
      slot: slotAt(2),
      source: 'import',
      token: 'import',
    })
    expect(await reconcile(stores())).toEqual({
      done: true,
      adopted: 0,
      reopened: [],
      lost: [],
    })
    await loadAll(stores())
    const range = await seriesRange(databases.clickhouse)
    expect(await check(stores(), range)).toMatchObject({ problems: [] })
    expect(range).toEqual({ from: slotAt(0), to: slotAt(9) + 1 })
  })

  it('a PostgreSQL that knows of no snapshot takes none of them again', async () => {
    await restorePostgres('early')
    await restoreClickHouse('late')
    await postgres.query('DELETE FROM snapshots')
    await expect(loadAll(stores())).rejects.toThrow('PostgreSQL is older')
    expect((await reconcile(stores())).adopted).toBe(9)
    expect(await capture(postgres, slotAt(8))).toBeUndefined()
    await expectLoaded()
  })

  it('observations dropped under a lost retention are not treated as never recorded', async () => {
    await restorePostgres('early')
    await restoreClickHouse('late')
    const derived = () =>
      selectRows(
        databases.clickhouse,
        'SELECT step, count() FROM cube FINAL WHERE bucket < {end:DateTime} GROUP BY step ORDER BY step',
        { end: slotAt(4) },
      )
    // Slot 4 begins an hour.
    await execute(
      databases.clickhouse,
      'DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ WHERE slot < {end:DateTime}',
      { end: slotAt(4) },
    )
    const before = await derived()
    await reconcile(stores())
    await rebuildSeries(stores(), await seriesRange(databases.clickhouse))
    expect(await derived()).toEqual(before)
  })

  it('snapshots in neither store are reported, and become gaps only when accepted', async () => {
    await restorePostgres('late')
    await restoreClickHouse('early')
    await postgres.query(`UPDATE snapshots SET loaded_at = loaded_at - interval '3 days'`)
    await expect(purge(stores(), 2)).rejects.toThrow('ClickHouse is older')
    await postgres.query(
      'DELETE FROM spool USING snapshots s WHERE s.slot = spool.slot AND s.loaded_at IS NOT NULL',
    )
    const range = await rangeToCheck(stores(), {})
    expect((await check(stores(), range)).problems).toContainEqual(
      expect.objectContaining({ table: 'slots', from: slotAt(7), to: slotAt(8) + 1 }),
    )
    const found = { adopted: 0, reopened: [slotAt(9)], lost: [slotAt(7), slotAt(8)] }
    expect(await reconcile(stores())).toEqual({ done: false, ...found })
    await expect(loadAll(stores())).rejects.toThrow('ClickHouse is older')
    expect(await reconcile(stores(), { acceptLoss: true })).toEqual({ done: true, ...found })
    await expectLoaded()
  })
})
