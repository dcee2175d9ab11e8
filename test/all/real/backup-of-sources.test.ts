import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { execute } from '../../../platform/stores/clickhouse.ts'
import { throughDefault } from '../../../platform/stores/migrate.ts'
import { environmentIn, exited, spawnRackrate } from '../../process.ts'
import { openStandIn, rigsAt } from '../../stand-in.ts'

it('a backup of a site with two sources has both markets, and a restore brings both back', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-collect-'))
  const standIn = await openStandIn()
  standIn.rigs = rigsAt(60)
  standIn.time = Math.floor(Date.now() / 1000)
  const env = environmentIn(dir)
  const run = async (...args: string[]) => {
    const child = spawnRackrate(args, env)
    return { code: await exited(child), output: child.output() }
  }
  const other = await openStandIn()
  other.rigs = rigsAt(30)
  const sources = ['--source', `exporter=${standIn.url}`, '--source', `second:vast=${other.url}`]
  const up = spawnRackrate(['up', '--no-demo', '--json', ...sources], env)
  try {
    const { url } = await vi.waitFor(
      () => JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string },
      { timeout: 60_000, interval: 100 },
    )
    const { output } = await run('key', 'create', '--role', 'admin', '--json')
    const { key } = JSON.parse(output) as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    const totalOf = async (source: string) => {
      const answer = await fetch(`${url}/api/v0/metrics/gpu/current?verified=all&source=${source}`, {
        headers,
      })
      const { gpus } = (await answer.json()) as { gpus: { total_gpus: number }[] }
      return gpus.reduce((sum, row) => sum + row.total_gpus, 0)
    }
    const totals = async () => [await totalOf('exporter'), await totalOf('second')]
    const expected = [60, 30].map((count) => rigsAt(count).reduce((sum, rig) => sum + rig.gpus, 0))
    await vi.waitFor(async () => expect(await totals()).toEqual(expected), { timeout: 60_000, interval: 500 })
    // A backup has all markets, and they come back.
    const backup = await run('backup', 'both', '--json')
    expect(JSON.parse(backup.output)).toMatchObject({ name: 'both', others: [{ name: 'second-both' }] })
    const { clickhouse: address } = JSON.parse(readFileSync(join(dir, 'engines.json'), 'utf8'))
    await throughDefault(address, async (client) => {
      for (const name of ['rackrate', 'rackrate_second'])
        await execute(client, 'DROP DATABASE {name:Identifier} SYNC', { name })
    })
    expect(await run('restore', 'both')).toMatchObject({ code: 0 })
    expect(await totals()).toEqual(expected)
    for (const name of ['exporter', 'second'])
      expect(await run('check', '--source', name)).toMatchObject({ code: 0 })
  } finally {
    up.kill('SIGTERM')
    await exited(up)
    standIn.close()
    other.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
