import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { findEngines } from '../../embedded/engines.ts'
import { capture } from '../../ingest/capture.ts'
import { openClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { openPostgres } from '../../platform/stores/postgres.ts'
import { pick, seeded } from '../../simulate/random.ts'
import { testKey } from '../database.ts'
import { smallMarket } from '../market.ts'
import { exited, spawnRackrate } from '../process.ts'

// `rackrate up` on embedded engines while it, its engines and an import are killed at random. `npm run torture -- --minutes N` runs it for long.

const minutes = Number(process.env.TORTURE_MINUTES ?? 1)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const killsPerRound = minutes > 2 ? 25 : 8
const machines = 100
const importedSlots = 40
const columns = 'ts,machine,gpu,n,usd'
const mapping = 'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,price=usd'
const patient = { timeout: 120_000, interval: 100 }

const victims = ['up', 'postgres', 'clickhouse', 'import'] as const
type Victim = (typeof victims)[number]

it(
  `comes back complete after every kill, for ${minutes} minutes (seed ${seed})`,
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'rackrate-torture-'))
    const env = {
      RACKRATE_DATA_DIR: dir,
      PORT: '0',
      ENCRYPTION_KEY: testKey.toString('hex'),
      LOG_LEVEL: 'warn',
    }
    const random = seeded(seed)
    const kills = { up: 0, postgres: 0, clickhouse: 0, import: 0 }
    const file = writeFile(dir)
    let slot = 1_750_000_200
    let rounds = 0
    let slowest = 0
    let up = spawnRackrate(['up', '--no-demo', '--json'], env)
    const importFile = () => spawnRackrate(['import', file, '--map', mapping, '--source', 'prices'], env)
    let importing: ReturnType<typeof importFile> | undefined
    const isUp = () => vi.waitFor(() => expect(up.output()).toMatch(/^\{"url".*$/m), patient)

    /** Runs `work` on the engines as they are found now. */
    async function withEngines<T>(work: (engines: OpenEngines) => Promise<T>): Promise<T> {
      const { databaseUrl, clickhouse: address } = findEngines(dir) ?? {}
      if (!databaseUrl || !address) throw new Error('no engines')
      const postgres = openPostgres(databaseUrl, () => {})
      const clickhouse = openClickHouse(address)
      try {
        return await work({ postgres, clickhouse })
      } finally {
        await Promise.all([postgres.end(), clickhouse.close()])
      }
    }

    /** Captures slots for as long as PostgreSQL answers. */
    const captureSome = (count: number) =>
      withEngines(async ({ postgres }) => {
        for (let left = count; left > 0; left -= 1) {
          // A capture whose answer is lost is asked for again, and the next slot comes only when it is known to be there.
          if (!(await capture(postgres, slot))) expect(slot).toBeGreaterThan(0)
          slot += 300
        }
      }).catch(() => {})

    function kill(victim: Victim): void {
      const pidOf = (name: string) => Number.parseInt(readFileSync(join(dir, name), 'utf8'), 10)
      const strike = {
        up: () => up.kill('SIGKILL'),
        import: () => importing?.kill('SIGKILL') ?? false,
        postgres: () => process.kill(pidOf('postgres.pid'), 'SIGKILL'),
        clickhouse: () => process.kill(pidOf('clickhouse/pid'), 'SIGKILL'),
      }[victim]
      try {
        if (strike()) kills[victim] += 1
      } catch {
        // It is not running at this moment.
      }
    }

    async function round(): Promise<void> {
      for (let n = 0; n < killsPerRound; n += 1) {
        // Without a process that has the engines, an import would start them itself.
        await isUp()
        if (!importing || importing.exitCode !== null || importing.signalCode !== null)
          importing = importFile()
        const capturing = captureSome(3)
        await pause(random() * 1500)
        const victim = pick(random, victims)
        kill(victim)
        await capturing
        if (victim === 'up') {
          await exited(up)
          // An import that starts at this moment would start the engines itself, and the next `up` would be refused.
          kill('import')
          if (importing) await exited(importing)
          let began = Date.now()
          up = spawnRackrate(['up', '--no-demo', '--json'], env)
          // Sometimes it is killed again while it starts.
          if (random() < 0.3) {
            await pause(random() * 3000)
            if (up.kill('SIGKILL')) kills.up += 1
            await exited(up)
            began = Date.now()
            up = spawnRackrate(['up', '--no-demo', '--json'], env)
          }
          await isUp()
          slowest = Math.max(slowest, Date.now() - began)
        }
      }
      importing?.kill('SIGKILL')
      if (importing) await exited(importing)
    }

    /** Everything is there, once, after the processes were left alone. */
    async function settle(): Promise<void> {
      expect(up.exitCode, up.output()).toBe(null)
      await isUp()
      await vi.waitFor(
        () =>
          withEngines(async ({ postgres }) => {
            const { rowCount } = await postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')
            expect(rowCount).toBe(0)
          }),
        patient,
      )
      importing = importFile()
      expect(await exited(importing), importing.output()).toBe(0)
      const checked = spawnRackrate(['check', '--json'], env)
      expect(await exited(checked), checked.output()).toBe(0)
      expect(JSON.parse(checked.output())).toEqual({ ok: true, rows: [], slots: [], lost: [] })
      await withEngines(async ({ postgres, clickhouse }) => {
        const found = await selectRows(
          clickhouse,
          `SELECT toUnixTimestamp(slot) AS slot, count() AS observations FROM observations
         WHERE source = 'market' GROUP BY slot ORDER BY slot`,
        )
        const { rows } = await postgres.query(
          'SELECT slot, observations FROM snapshots WHERE observations > 0 ORDER BY slot',
        )
        expect(found).toEqual(rows)
        const [imported] = await selectRows<{ n: number }>(
          clickhouse,
          `SELECT count() AS n FROM observations WHERE source = 'prices'`,
        )
        expect(imported?.n).toBe(machines * importedSlots)
      })
      up.kill('SIGTERM')
      expect(await exited(up), up.output()).toBe(0)
      expect(processesOf(dir)).toEqual([])
      up = spawnRackrate(['up', '--no-demo', '--json'], env)
      await isUp()
    }

    try {
      await isUp()
      await withEngines(({ postgres }) => smallMarket(postgres, 60))
      for (const end = Date.now() + minutes * 60_000; Date.now() < end; rounds += 1) {
        await round()
        await settle()
        const total = Object.values(kills).reduce((a, b) => a + b)
        console.log(
          `torture: round ${rounds + 1}, ${total} kills ${JSON.stringify(kills)}, slowest start ${slowest} ms`,
        )
      }
      up.kill('SIGTERM')
      expect(await exited(up), up.output()).toBe(0)
    } finally {
      up.kill('SIGKILL')
      await exited(up)
      rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
    }
  },
  minutes * 60_000 + 600_000,
)

interface OpenEngines {
  postgres: ReturnType<typeof openPostgres>
  clickhouse: ReturnType<typeof openClickHouse>
}

function writeFile(dir: string): string {
  const file = join(dir, 'prices.csv')
  const lines = Array.from(
    { length: machines * importedSlots },
    (_, n) =>
      `${1_700_000_000 + Math.floor(n / machines) * 3600},${n % machines},RTX 4090,1,0.${1 + (n % 9)}`,
  )
  writeFileSync(file, [columns, ...lines].join('\n'))
  return file
}

/** Processes that name the folder, without those that have ended. */
const processesOf = (path: string) =>
  execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(path) && !/^\s*\d+\s+Z/.test(line))
