import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { RecordingAnswer } from '../../contract/recording.ts'
import { catalogCsv, openBucket, zipOf } from '../bucket.ts'
import { environmentIn, exited, spawnRackrate } from '../process.ts'
import { openStandIn, rigsAt } from '../stand-in.ts'

it('`rackrate up` with sources and a catalog shows their markets and prices at once', async () => {
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
  const bucket = await openBucket()
  bucket.zips.aws = zipOf({ 'aws.csv': catalogCsv([{ instance: 'g6.xlarge', price: 0.8048 }]) })
  const sources = ['--source', `exporter=${standIn.url}`, '--source', `second:vast=${other.url}`]
  const up = spawnRackrate(
    ['up', '--no-demo', '--json', ...sources, '--catalog', `gpuhunt=${bucket.url}`],
    env,
  )
  try {
    const { url } = await vi.waitFor(
      () => JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string },
      { timeout: 120_000, interval: 100 },
    )
    const { output } = await run('key', 'create', '--role', 'admin', '--json')
    const { key } = JSON.parse(output) as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    const gpus = await vi.waitFor(
      async () => {
        const answer = await fetch(`${url}/api/v0/metrics/gpu/current?verified=all`, { headers })
        const { gpus } = (await answer.json()) as { gpus: { gpu_name: string; total_gpus: number }[] }
        expect(gpus).toHaveLength(3)
        return gpus
      },
      { timeout: 60_000, interval: 500 },
    )
    const total = rigsAt(60).reduce((sum, rig) => sum + rig.gpus, 0)
    expect(gpus.reduce((sum, row) => sum + row.total_gpus, 0)).toBe(total)
    expect(standIn.requests).toHaveLength(1)

    const expectReady = (state: object) =>
      vi.waitFor(async () => expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject(state), {
        timeout: 60_000,
        interval: 1100,
      })
    await expectReady({ status: 'ok', source: { failures: 0, problem: null } })
    const totalOf = async (source: string) => {
      const answer = await fetch(`${url}/api/v0/metrics/gpu/current?verified=all&source=${source}`, {
        headers,
      })
      const { gpus } = (await answer.json()) as { gpus: { total_gpus: number }[] }
      return gpus.reduce((sum, row) => sum + row.total_gpus, 0)
    }
    const second = rigsAt(30).reduce((sum, rig) => sum + rig.gpus, 0)
    await vi.waitFor(async () => expect(await totalOf('second')).toBe(second), {
      timeout: 60_000,
      interval: 500,
    })
    await expectReady({ sources: { second: { status: 'ok' } } })
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /^rackrate_spooled_slots\{source="second"\} 0$/m,
    )

    await vi.waitFor(
      async () => {
        const answer = await fetch(`${url}/api/v0/metrics/gpu/list-prices`, { headers })
        expect(await answer.json()).toMatchObject({
          gpus: { L4: { cheapest: [{ provider: 'aws', price: 0.8048, is_current: true }] } },
        })
      },
      { timeout: 120_000, interval: 500 },
    )
    const recording = await fetch(`${url}/api/v0/metrics/recording`, { headers })
    const { markets, queues } = (await recording.json()) as RecordingAnswer
    expect(markets.map(({ name, away, series }) => [name, away, series?.is_empty])).toEqual([
      ['exporter', [], false],
      ['second', [], false],
    ])
    // The queues were made at this start.
    expect(queues?.find(({ name }) => name === 'capture')).toMatchObject({
      failed: 0,
      done_at: expect.any(Number),
    })
    // A catalog is no source.
    const listed = await fetch(`${url}/api/v0/metrics/sources`, { headers })
    expect(
      ((await listed.json()) as { sources: { name: string }[] }).sources.map(({ name }) => name),
    ).toEqual(['exporter', 'second'])

    expect(await run('check', '--source', 'second')).toMatchObject({ code: 0 })
    const again = await run('collect', '--source', `exporter=${standIn.url}`)
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('already') })
    expect(await run('snapshot')).toMatchObject({
      code: 2,
      output: expect.stringContaining('This site records'),
    })

    const checked = await run('check', '--json')
    const json = checked.output.slice(checked.output.indexOf('{'))
    expect(JSON.parse(json)).toMatchObject({ ok: true, source: { failures: 0 } })
    expect(checked.output).toContain(
      'gpuhunt gave no prices of azure 1 times: The source answered with status 403.',
    )
  } finally {
    up.kill('SIGTERM')
    await exited(up)
    standIn.close()
    other.close()
    bucket.close()
    rmSync(dir, { recursive: true, force: true })
  }
  // Without its source the site refuses to start, instead of recording another market.
  expect(up.exitCode).toBe(0)
})
