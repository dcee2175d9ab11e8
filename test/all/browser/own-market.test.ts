import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasBrowser, openWeb, violationsOf, type Web } from '../../browser.ts'
import { fleetAt } from '../../claimed.ts'
import { testKey } from '../../database.ts'
import { exited, spawnRackrate } from '../../process.ts'
import { openStandIn } from '../../stand-in.ts'

/** The arguments of `rackrate` in the README's commands that record a market, for the market of a test and a host of it. */
function commandsOf(address: string, host: number): string[][] {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const [, part = ''] = readme.split('### Record your market')
  const [, block = ''] = /```sh\n(.*?)```/s.exec(part) ?? []
  return block
    .replace('https://market.example.com', address)
    .replace('--host 12345', `--host ${host}`)
    .replace('npm start --', 'npx rackrate up')
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/ +#.*$/, '')
        .split(' ')
        .slice(2),
    )
}

describe.skipIf(!hasBrowser)('the market that a stranger is in', () => {
  let web: Web
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-market-'))
  beforeAll(async () => {
    web = await openWeb({ empty: true })
  })
  afterAll(async () => {
    await web?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('three commands of the README and four steps in a browser lead to own machines on the desk', async () => {
    const standIn = await openStandIn()
    standIn.rigs = fleetAt(0)
    const own = standIn.rigs.filter(({ host }) => host === 50)
    const env = {
      RACKRATE_DATA_DIR: dir,
      PORT: '0',
      ENCRYPTION_KEY: testKey.toString('hex'),
      SHUTDOWN_TIMEOUT: '60', // a busy machine takes its time
    }
    const [record = [], ...others] = commandsOf(standIn.url, 50)
    expect(others).toHaveLength(2)
    const up = spawnRackrate(record, env)
    try {
      const url = await vi.waitFor(
        () => {
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(up.output().replace(standIn.url, '')) ?? []
          if (found === undefined) throw new Error(up.output())
          return found
        },
        { timeout: 240_000, interval: 200 },
      )
      const said: string[] = []
      for (const command of others) {
        const child = spawnRackrate(command, env)
        expect([await exited(child), child.output()]).toEqual([0, expect.any(String)])
        said.push(child.output())
      }
      const [key = ''] = /rr_\S+/.exec(said[0] ?? '') ?? []
      expect(said[1]).toContain('vast: hosts 50. 8 machines')

      // 1. The address, 2. the key.
      const page = await web.visit(url)
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      // 3. My machines.
      await page.getByRole('link', { name: /^Machines/ }).click()
      await expect.poll(() => page.locator('.fleet tbody tr').count()).toBe(own.length)
      await page.getByText('You claim the machines of host 50 at vast.').waitFor()
      await web.look(page, 'own-market-machines')
      expect(await violationsOf(page)).toEqual([])
      // 4. The desk of one of them.
      await page.getByRole('link', { name: /: machine 1006$/ }).click()
      await page.getByText('Machine 1006 now').waitFor()
      await web.look(page, 'own-market-desk')
      expect(await violationsOf(page)).toEqual([])
    } finally {
      up.kill('SIGTERM')
      await exited(up)
      standIn.close()
    }
  })
})
