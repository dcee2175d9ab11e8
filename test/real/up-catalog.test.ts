import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { catalogCsv, openBucket, zipOf } from '../bucket.ts'
import { testKey } from '../database.ts'
import { exited, spawnRackrate } from '../process.ts'

it('`rackrate up --no-demo --catalog gpuhunt` has the prices of clouds at once', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-catalog-'))
  const bucket = await openBucket()
  bucket.zips.aws = zipOf({ 'aws.csv': catalogCsv([{ instance: 'g6.xlarge', price: 0.8048 }]) })
  const env = {
    RACKRATE_DATA_DIR: dir,
    PORT: '0',
    ENCRYPTION_KEY: testKey.toString('hex'),
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '60', // a busy machine takes its time
  }
  const up = spawnRackrate(['up', '--no-demo', '--json', '--catalog', `gpuhunt=${bucket.url}`], env)
  try {
    const { url } = await vi.waitFor(
      () => JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string },
      { timeout: 120_000, interval: 100 },
    )
    const made = spawnRackrate(['key', 'create', '--role', 'admin', '--json'], env)
    await exited(made)
    const { key } = JSON.parse(made.output()) as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    await vi.waitFor(
      async () => {
        const answer = await fetch(`${url}/api/v0/metrics/gpu/list-prices`, { headers })
        expect(await answer.json()).toMatchObject({
          gpus: { L4: { cheapest: [{ provider: 'aws', price: 0.8048, is_current: true }] } },
        })
      },
      { timeout: 120_000, interval: 500 },
    )
    // A catalog is no source: the market is still the site's own.
    expect(await (await fetch(`${url}/api/v0/metrics/sources`, { headers })).json()).toMatchObject({
      sources: [],
    })
    const checked = spawnRackrate(['check', '--json'], env)
    await exited(checked)
    expect(checked.output()).toContain(
      'gpuhunt gave no prices of azure 1 times: The source answered with status 403.',
    )
  } finally {
    up.kill('SIGTERM')
    await exited(up)
    bucket.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
