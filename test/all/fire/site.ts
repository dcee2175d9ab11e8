import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { findEngines } from '../../../embedded/engines.ts'
import { capture } from '../../../ingest/capture.ts'
import { openClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { openPostgres } from '../../../platform/stores/postgres.ts'
import { testKey } from '../../database.ts'
import { exited, spawnRackrate } from '../../process.ts'

// A `rackrate up` on embedded engines, whose processes and disks tests damage.

/** Long, since these tests run beside others and at the lowest priority. */
export const patient = { timeout: 600_000, interval: 100 }

interface OpenEngines {
  postgres: ReturnType<typeof openPostgres>
  clickhouse: ReturnType<typeof openClickHouse>
}

export type Site = ReturnType<typeof openSite>

export function openSite(name: string, args: readonly string[] = ['--no-demo']) {
  const dir = mkdtempSync(join(tmpdir(), `rackrate-${name}-`))
  const env: Record<string, string> = {
    RACKRATE_DATA_DIR: dir,
    PORT: '0',
    ENCRYPTION_KEY: testKey.toString('hex'),
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '60', // a busy machine takes its time
  }
  const site = {
    dir,
    env,
    /** The next slot to capture. */
    slot: 1_750_000_200,
    up: undefined as ReturnType<typeof spawnRackrate> | undefined,
    run: (...command: string[]) => spawnRackrate(command, env),
    pidOf: (file: string) => Number.parseInt(readFileSync(join(dir, file), 'utf8'), 10),
    /** The last lines, for a failure. */
    output: () => site.up?.output().slice(-4000) ?? '',
    start(): void {
      site.up = site.run('up', ...args, '--json')
    },
    isUp: () =>
      vi.waitFor(
        () => expect(/^\{"url".*$/m.test(site.up?.output() ?? ''), site.output()).toBe(true),
        patient,
      ),
    /** Runs `work` with connections to the engines that run now. */
    async withEngines<T>(work: (engines: OpenEngines) => Promise<T>): Promise<T> {
      const { databaseUrl, clickhouse: address } = findEngines(dir) ?? {}
      if (!databaseUrl || !address) throw new Error('no engines')
      const postgres = openPostgres(databaseUrl, () => {})
      const clickhouse = openClickHouse(address)
      try {
        return await work({ postgres, clickhouse })
      } finally {
        await Promise.all([postgres.end(), clickhouse.close()])
      }
    },
    /** Captures slots for as long as PostgreSQL answers. A capture whose answer is lost is repeated. */
    captureSome: (count: number) =>
      site
        .withEngines(async ({ postgres }) => {
          for (let left = count; left > 0; left -= 1) {
            await capture(postgres, site.slot)
            site.slot += 900
          }
        })
        .catch(() => {}),
    /** Waits until the workers are done, and expects every captured slot exactly once. */
    async expectComplete(source = 'market'): Promise<void> {
      expect(site.up?.exitCode, site.output()).toBe(null)
      await vi.waitFor(
        () =>
          site.withEngines(async ({ postgres }) => {
            const { rowCount } = await postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')
            expect(rowCount, site.output()).toBe(0)
          }),
        patient,
      )
      const checked = site.run('check', '--json')
      expect(await exited(checked), checked.output()).toBe(0)
      expect(JSON.parse(checked.printed())).toMatchObject({ ok: true, problems: [] })
      // The workers continue, so a slot may arrive between the two queries.
      await vi.waitFor(
        () =>
          site.withEngines(async ({ postgres, clickhouse }) => {
            const { rows } = await postgres.query(
              'SELECT slot, observations FROM snapshots WHERE observations > 0 AND loaded_at IS NOT NULL ORDER BY slot',
            )
            const found = await selectRows(
              clickhouse,
              `SELECT toUnixTimestamp(slot) AS slot, count() AS observations FROM observations
               WHERE source = {source:String} AND slot BETWEEN {first:UInt32} AND {last:UInt32} GROUP BY slot ORDER BY slot`,
              { source, first: rows[0]?.slot ?? 0, last: rows.at(-1)?.slot ?? 0 },
            )
            expect(found).toEqual(rows)
          }),
        patient,
      )
    },
    async stop(): Promise<void> {
      site.up?.kill('SIGTERM')
      if (site.up) expect(await exited(site.up), site.output()).toBe(0)
      expect(processesOf(dir)).toEqual([])
    },
    async remove(): Promise<void> {
      site.up?.kill('SIGKILL')
      if (site.up) await exited(site.up)
      // Children of the engines end by themselves when they notice the engine's end.
      await vi.waitFor(() => expect(processesOf(dir)).toEqual([]), patient)
      rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
    },
  }
  return site
}

/** Running processes that name the folder. */
const processesOf = (path: string) =>
  execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(path) && !/^\s*\d+\s+Z/.test(line))
