import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { check, seriesRange } from '../../../ingest/check.ts'
import { type ClickHouse, execute, openClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { locks, withAdvisoryLock } from '../../../platform/stores/postgres.ts'
import { seedMarket } from '../../../simulate/create-market.ts'
import { fillHistory } from '../../../simulate/fill-history.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { openFaultProxy } from '../../fault-proxy.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'

const interval = 900
const now = 1_795_000_500
const market = { seed: 5, size: 150, days: 2, interval, now }
const forever = new AbortController().signal

let databases: TestDatabases
beforeEach(async () => {
  databases = await freshDatabases()
})
afterEach(() => databases.close())

const seriesOf = (clickhouse: ClickHouse) =>
  selectRows(
    clickhouse,
    `SELECT count() AS n, uniqExact(slot) AS slots, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last,
       sum(cityHash64(*)) AS content
     FROM observations`,
  )

async function expectNothingWrong({ postgres, clickhouse }: TestDatabases): Promise<void> {
  const result = await check({ postgres, clickhouse }, await seriesRange(clickhouse))
  expect(result).toMatchObject({ problems: [] })
}

describe('the simulated history', () => {
  it('goes on from where it was stopped, to the same series', async () => {
    const { postgres, clickhouse } = databases
    await seedMarket(postgres, market)
    await fillHistory(databases, { signal: forever })
    const uninterrupted = await seriesOf(clickhouse)
    await databases.close()

    databases = await freshDatabases()
    await seedMarket(databases.postgres, market)
    await stopAtEachBatch(databases)
    expect(await seriesOf(databases.clickhouse)).toEqual(uninterrupted)
    await expectNothingWrong(databases)
  })

  it('stops at once while ClickHouse is at work, and while another process holds the series', async () => {
    const { postgres, clickhouse } = databases
    await seedMarket(postgres, market)
    const proxy = await openFaultProxy(databases.clickhouseAddress.url)
    const throughProxy = openClickHouse({ ...databases.clickhouseAddress, url: proxy.url })
    try {
      // ClickHouse never answers this statement.
      const atWork = new AbortController()
      const struck = proxy.arm(/INSERT INTO price_histogram/, 'before', () => atWork.abort())
      const filling = fillHistory({ postgres, clickhouse: throughProxy }, { signal: atWork.signal })
      await expect(filling).rejects.toThrow(/abort/i)
      await struck

      const waiting = new AbortController()
      await withAdvisoryLock(postgres, locks.series, async () => {
        const waits = fillHistory(databases, { signal: waiting.signal })
        await vi.waitFor(async () => {
          const { rowCount } = await postgres.query('SELECT FROM pg_locks WHERE objid = $1 AND NOT granted', [
            locks.series,
          ])
          expect(rowCount).toBe(1)
        }, 60_000)
        waiting.abort()
        await expect(waits).rejects.toThrow(/abort/i)
      })
    } finally {
      await throughProxy.close()
      proxy.close()
    }
    await fillHistory(databases, { signal: forever })
    expect(await seriesOf(clickhouse)).toMatchObject([{ slots: 2 * 96 }])
    await expectNothingWrong(databases)
  })

  it('does not delay the next start, although slots wait to be loaded', async () => {
    const { postgres, queues, clickhouseAddress } = databases
    await seedMarket(postgres, market)
    const up = await withAdvisoryLock(postgres, locks.series, async () => {
      const started = spawnRackrate(['up', '--json'], {
        ...environmentOf(queues, clickhouseAddress),
        PORT: '0',
      })
      await vi.waitFor(() => expect(started.output()).toContain('"url"'), 60_000)
      return started
    })
    up.kill('SIGTERM')
    expect(await exited(up)).toBe(0)
  })

  it('completes a batch that was killed between two inserts, with tokens long forgotten', async () => {
    const { postgres, clickhouse } = databases
    await seedMarket(postgres, { ...market, days: 1 })
    await fillHistory(databases, { signal: forever })
    const before = await seriesOf(clickhouse)
    await execute(
      clickhouse,
      'ALTER TABLE observations/*!_local ON CLUSTER $cluster*/ MODIFY SETTING non_replicated_deduplication_window = 0',
    )
    // With few machines a day is inserted at once: the older day is removed, the newer one exists already.
    const midnight = Math.floor(now / 86_400) * 86_400
    const forget =
      'DELETE FROM observations/*!_local ON CLUSTER $cluster*/ WHERE slot < toDateTime({midnight:UInt32})'
    await execute(clickhouse, forget, { midnight })
    await postgres.query('UPDATE simulation SET filled_from = anchor_slot')
    await fillHistory(databases, { signal: forever })
    expect(await seriesOf(clickhouse)).toEqual(before)
    await expectNothingWrong(databases)
  })
})

/** Stops at work on the next batch, each time that one is done. */
async function stopAtEachBatch(stores: TestDatabases): Promise<void> {
  for (let stops = 0; stops < 10; stops += 1) {
    const stopping = new AbortController()
    const onProgress = () => setImmediate(() => stopping.abort())
    try {
      await fillHistory(stores, { signal: stopping.signal, onProgress })
      return
    } catch (error) {
      expect((error as Error).name).toBe('AbortError')
    }
  }
  throw new Error('the history made no progress')
}
