import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { typesNamed } from '../../../contract/gpu-types.ts'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { realData } from '../../data.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'

const dir = realData()

describe.skipIf(!dir)('the real history of skypilot-catalog', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'rackrate-skypilot-')), 'clone')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
  let databases: TestDatabases
  beforeAll(async () => {
    databases = await freshDatabases()
    execFileSync('git', ['clone', '--quiet', join(dir ?? '', 'skypilot-catalog-2024-04.bundle'), folder])
  })
  afterAll(async () => {
    rmSync(join(folder, '..'), { recursive: true })
    await databases?.close()
  })

  const start = () =>
    spawnRackrate(['import', 'skypilot', folder, '--json'], {
      ...environmentOf(databases.queues, databases.clickhouseAddress),
      ENCRYPTION_KEY: '07'.repeat(32),
    })
  const run = async () => {
    const child = start()
    expect(await exited(child), child.output()).toBe(0)
    return JSON.parse(
      child
        .output()
        .split('\n')
        .find((line) => line.startsWith('{')) ?? '',
    )
  }
  const all = () => selectRows(databases.clickhouse, 'SELECT * FROM list_prices FINAL ORDER BY ALL')

  /** The contents of a commit's files, by offer: the lowest price per GPU-hour. */
  function offersAt(commit: string): Record<string, number> {
    const lowest: Record<string, number> = {}
    for (const provider of ['aws', 'lambda', 'runpod']) {
      const file = git('show', `${commit}:catalogs/v5/${provider}/vms.csv`)
      for (const row of parse(file, { columns: true, relax_column_count: true }) as Record<
        string,
        string
      >[]) {
        if (!row.AcceleratorName || !row.InstanceType) continue
        for (const [spot, price] of [
          ['', row.Price],
          ['spot', row.SpotPrice],
        ] as const) {
          const each = Math.round((Number(price) / Number(row.AcceleratorCount)) * 1e6) / 1e6
          if (!price || !(each > 0) || !Number.isInteger(Number(row.AcceleratorCount))) continue
          const key = [provider, row.Region, row.InstanceType, row.AcceleratorName, spot].join()
          lowest[key] = Math.min(lowest[key] ?? Number.POSITIVE_INFINITY, each)
        }
      }
    }
    return lowest
  }
  async function storedAt(time: number): Promise<Record<string, number>> {
    const rows = await selectRows<{ key: string; price: number }>(
      databases.clickhouse,
      `SELECT arrayStringConcat([provider, region, instance_name, listed_name, if(spot, 'spot', '')], ',') AS key,
         argMax(tuple(l.price), l.time).1 AS price
       FROM list_prices AS l WHERE toUnixTimestamp(l.time) <= {time:UInt32}
       GROUP BY provider, region, instance_name, listed_name, spot, gpu_name, gpu_memory, gpus HAVING price IS NOT NULL`,
      { time },
    )
    return Object.fromEntries(rows.map(({ key, price }) => [key, price]))
  }

  it('is imported once as in every commit, also after a killed import', async () => {
    const killed = start()
    await vi.waitFor(() => expect(killed.output()).toMatch(/reading: [3-9]0 %/), {
      timeout: 120_000,
      interval: 20,
    })
    killed.kill('SIGKILL')
    await exited(killed)
    const { commits, providers, unreadable } = await run()
    expect({ commits, unreadable }).toEqual({ commits: 61, unreadable: [] })
    expect(providers.aws.offers).toBeGreaterThan(1000)
    const rows = await all()
    expect(await run()).toMatchObject({ changes: 0 })
    expect(await all()).toEqual(rows)

    const history = git('log', '--reverse', '--format=%H %ct').trim().split('\n')
    for (const index of [0, 1, 20, 40, 59, 60]) {
      const [commit = '', time] = (history[index] ?? '').split(' ')
      expect(await storedAt(Number(time)), `commit ${index}`).toEqual(offersAt(commit))
    }

    const names = await selectRows<{ listed_name: string; gpu_name: string; offers: number }>(
      databases.clickhouse,
      `SELECT listed_name, gpu_name, toUInt32(count()) AS offers FROM list_prices FINAL GROUP BY ALL ORDER BY offers DESC`,
    )
    console.log(
      `${rows.length} rows; ${names.map((row) => `${row.listed_name} = ${row.gpu_name || '?'}`).join(', ')}`,
    )
    for (const { listed_name, gpu_name } of names)
      if (gpu_name) expect(typesNamed(listed_name).map(({ name }) => name)).toContain(gpu_name)
  }, 600_000)
})
