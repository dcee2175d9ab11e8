import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { environmentIn, exited, spawnRackrate } from '../process.ts'

it('the demo starts with a fired alert, a rule in a dry run, and prices of clouds', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-demo-'))
  const up = spawnRackrate(['up', '--json'], environmentIn(dir))
  try {
    const { url, keys } = await vi.waitFor(
      () =>
        JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string; keys: { host: string } },
      { timeout: 120_000, interval: 100 },
    )
    const get = async (path: string) => {
      const response = await fetch(`${url}/api/v0/${path}`, {
        headers: { authorization: `Bearer ${keys.host}` },
      })
      return response.json()
    }
    const expectSoon = (path: string, answer: object) =>
      vi.waitFor(async () => expect(await get(path)).toMatchObject(answer), {
        timeout: 120_000,
        interval: 500,
      })
    const fired = { name: 'A listing ends soon', status: 'firing' }
    await expectSoon('alerts', { rules: [fired, { status: 'ok' }] })
    await expectSoon('metrics/autopilot/rules', { rules: [{ stage: 'dry_run' }] })
    await expectSoon('metrics/autopilot/decisions', {
      decisions: expect.arrayContaining([expect.objectContaining({ stage: 'dry_run' })]),
    })
    const read = { catalog: 'simulated', failures: 0, is_current: true }
    await expectSoon('metrics/gpu/list-prices?gpu_name=H100_SXM', {
      catalogs: [read, read, read, read],
      gpus: { 'H100 SXM': { cheapest: expect.arrayContaining([expect.objectContaining({ spot: false })]) } },
    })
    expect(up.output()).not.toContain('has no rules')
  } finally {
    up.kill('SIGTERM')
    expect(await exited(up), up.output()).toBe(0)
    rmSync(dir, { recursive: true, force: true })
  }
}, 400_000)
