import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { findEngines } from '../../../embedded/engines.ts'
import { capture } from '../../../ingest/capture.ts'
import { openClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { openPostgres } from '../../../platform/stores/postgres.ts'
import { openWakeUp } from '../../../workers/queues.ts'
import { testKey } from '../../database.ts'
import { smallMarket } from '../../market.ts'
import { exited, spawnRackrate } from '../../process.ts'

// `rackrate up` while its engines are killed.

const columns = 'ts,machine,gpu,n,usd'
const mapping = 'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,price=usd'
const machines = 400
const slots = 150

function writeFile(dir: string): string {
  const file = join(dir, 'prices.csv')
  const lines = Array.from(
    { length: machines * slots },
    (_, n) =>
      `${1_700_000_000 + Math.floor(n / machines) * 3600},${n % machines},RTX 4090,1,0.${1 + (n % 9)}`,
  )
  writeFileSync(file, [columns, ...lines].join('\n'))
  return file
}

it('the service survives kills of PostgreSQL and ClickHouse, and loses nothing', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-outage-'))
  const env = {
    RACKRATE_DATA_DIR: dir,
    PORT: '0',
    ENCRYPTION_KEY: testKey.toString('hex'),
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '60', // a busy machine takes its time
  }
  const file = writeFile(dir)
  const importFile = () => spawnRackrate(['import', file, '--map', mapping, '--source', 'prices'], env)
  const up = spawnRackrate(['up', '--no-demo', '--json'], env)
  const closing: (() => Promise<unknown>)[] = []
  try {
    const { url } = await vi.waitFor(
      () => JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string },
      { timeout: 90_000, interval: 100 },
    )
    const { databaseUrl, clickhouse: address } = findEngines(dir) ?? {}
    if (!databaseUrl || !address) throw new Error('no engines')
    const postgres = openPostgres(databaseUrl, () => {})
    const clickhouse = openClickHouse(address)
    const load = await openWakeUp(postgres, 'load', { databaseUrl })
    closing.push(
      load.close,
      () => clickhouse.close(),
      () => postgres.end(),
    )
    await smallMarket(postgres, 60)

    const kill = {
      async postgres() {
        const { rows } = await postgres.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        const parent = execFileSync('ps', ['-o', 'ppid=', '-p', `${rows[0]?.pid}`], { encoding: 'utf8' })
        process.kill(Number(parent), 'SIGKILL')
      },
      async clickhouse() {
        process.kill(Number(readFileSync(join(dir, 'clickhouse', 'pid'), 'utf8')), 'SIGKILL')
      },
    }
    const isReady = async () => {
      await postgres.query('SELECT 1')
      await selectRows(clickhouse, 'SELECT 1')
      return Date.now()
    }
    const waiting = async () => {
      const { rowCount } = await postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')
      expect(rowCount).toBe(0)
    }
    const whenBack = { timeout: 90_000, interval: 50 }

    let slot = 1_750_000_200
    for (const victim of ['postgres', 'postgres', 'clickhouse', 'postgres'] as const) {
      const importing = importFile()
      // The import derives its rows while slots are being loaded.
      await vi.waitFor(() => expect(importing.output()).toMatch(/new rows|rows read/), whenBack)
      for (let n = 0; n < 3; n += 1, slot += 300) await capture(postgres, slot)
      load.wake()
      await pause(300)
      await kill[victim]()
      const back = await vi.waitFor(isReady, whenBack)
      const ready = await vi.waitFor(async () => {
        expect((await fetch(`${url}/readyz`)).status).toBe(200)
        return Date.now()
      }, whenBack)
      const { rowCount: left } = await postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')
      await vi.waitFor(waiting, whenBack)
      const sinceBack = (time: number) => `${((time - back) / 1000).toFixed(1)} s`
      console.log(
        `${victim} killed; since it was back: ready after ${sinceBack(ready)}, the last of ${left} slots loaded after ${sinceBack(Date.now())}`,
      )
      expect(up.exitCode, up.output()).toBe(null)
      expect([0, 1]).toContain(await exited(importing))
    }

    // An import that failed is completed by the same again.
    const importing = importFile()
    expect(await exited(importing), importing.output()).toBe(0)
    const checked = spawnRackrate(['check', '--json'], env)
    expect(await exited(checked), checked.output()).toBe(0)
    expect(JSON.parse(checked.printed())).toMatchObject({ ok: true, problems: [] })
    // The service takes slots meanwhile. One of them may be taken but not loaded yet.
    await vi.waitFor(async () => {
      const { rows: taken } = await postgres.query(
        'SELECT slot, observations FROM snapshots WHERE observations > 0 ORDER BY slot',
      )
      const found = await selectRows(
        clickhouse,
        `SELECT toUnixTimestamp(slot) AS slot, count() AS observations FROM observations
         WHERE source = 'market' GROUP BY slot ORDER BY slot`,
      )
      expect(found).toEqual(taken)
      expect(taken.length).toBeGreaterThanOrEqual(12)
    }, whenBack)
    expect(
      await selectRows(clickhouse, `SELECT count() AS n FROM observations WHERE source = 'prices'`),
    ).toEqual([{ n: machines * slots }])
    for (const close of closing.splice(0)) await close()
    up.kill('SIGTERM')
    expect(await exited(up), up.output()).toBe(0)
  } finally {
    up.kill('SIGKILL')
    for (const close of closing) await close()
    // Engines may still write for a moment. Without the retries this would hide why the test failed.
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
})
