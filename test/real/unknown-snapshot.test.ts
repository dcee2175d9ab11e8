import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { check } from '../../ingest/check.ts'
import { insertObservations, loadAll, tokenOf } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { reconcile } from '../../ingest/reconcile.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { expectComplete } from '../complete.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'

const [whole, part] = [1_750_000_200, 1_750_000_500]
let databases: TestDatabases

beforeAll(async () => {
  databases = await freshDatabases()
  const { postgres } = databases
  await smallMarket(postgres, 40)
  await capture(postgres, whole)
  await loadAll(databases)
  await capture(postgres, part)
  const { rows } = await postgres.query<{ rows: string }>('SELECT rows FROM spool WHERE slot = $1', [part])
  // A worker ended while it loaded the snapshot, and PostgreSQL was restored from a backup of before.
  const lines = (rows[0]?.rows ?? '').split('\n').slice(0, 10).join('\n')
  const byHand = { clickhouse: databases.clickhouse, nextRevision: async () => 1 }
  const snapshot = { slot: part, source: 'market', token: tokenOf(`snapshot:${part}`, 0, lines) }
  await insertObservations(byHand, lines, snapshot)
  await postgres.query('DELETE FROM spool WHERE slot = $1', [part])
  await postgres.query('DELETE FROM snapshots WHERE slot = $1', [part])
})
afterAll(() => databases?.close())

it('a rebuild does not take a part of a snapshot that PostgreSQL does not know for all of it', async () => {
  const range = { from: whole, to: part + 1 }
  await rebuildSeries(databases, range)
  const shown = await selectRows(
    databases.clickhouse,
    'SELECT DISTINCT toUnixTimestamp(slot) AS slot FROM slots FINAL',
  )
  expect(shown).toEqual([{ slot: whole }])

  expect((await check(databases, range)).problems).toContainEqual(
    expect.objectContaining({ table: 'slots', from: part, to: part + 1, fix: 'rackrate reconcile' }),
  )
  expect(await reconcile(databases)).toEqual({ done: true, adopted: 0, reopened: [], lost: [] })
  expect((await check(databases, range)).problems).toEqual([])
  await expectComplete(databases)
})
