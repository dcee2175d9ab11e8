import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { hasBrowser, openBrowser } from '../../browser.ts'
import { hostMachine } from '../../host-accounts.ts'
import { openOfficialServer } from '../../official-server.ts'
import { exited, spawnRackrate } from '../../process.ts'
import { openStandIn, rigsAt } from '../../stand-in.ts'

const day = 86_400
const key = 'the-key-of-host-50-at-vast'

it.runIf(hasBrowser)(
  'a host sees ninety days of charts and a verdict on an own machine after four commands',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'rackrate-first-day-'))
    const standIn = await openStandIn()
    Object.assign(standIn, { rigs: rigsAt(240, 3), share: 0.75 })
    const own = standIn.rigs.filter(({ host }) => host === 50)
    const machineOf = ({ id, gpu, gpus, price }: (typeof own)[number]) =>
      hostMachine(id, { gpu_name: gpu, num_gpus: gpus, listed_gpu_cost: Number((0.75 * price).toFixed(4)) })
    standIn.accounts.add(key, own.map(machineOf))
    const gpusOf = (name: string) =>
      standIn.rigs.filter(({ gpu }) => gpu === name).reduce((sum, { gpus }) => sum + gpus, 0)
    const names = [...new Set(standIn.rigs.map(({ gpu }) => gpu))]
    const official = await openOfficialServer(
      Object.fromEntries(
        names.map((name) => [name, { verified: Math.round(gpusOf(name) / 2), unverified: 0 }]),
      ),
    )
    const keys = mkdtempSync(join(tmpdir(), 'rackrate-keys-'))
    const keyFile = join(keys, 'key.txt')
    writeFileSync(keyFile, `${key}\n`)
    const env = { RACKRATE_DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'warn', SHUTDOWN_TIMEOUT: '60' }
    const commands: string[] = []
    const run = async (...args: string[]) => {
      commands.push(args.join(' '))
      const child = spawnRackrate(args, env)
      expect(await exited(child), child.output()).toBe(0)
      return child.printed()
    }
    commands.push('up')
    const up = spawnRackrate(['up', '--no-demo', '--json', '--source', `vast=${standIn.url}`], env)
    try {
      const { url } = await vi.waitFor(
        () => JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string },
        { timeout: 60_000, interval: 100 },
      )
      await vi.waitFor(
        async () =>
          expect((await (await fetch(`${url}/readyz`)).json()) as object).toMatchObject({
            source: { failures: 0, newest_slot: expect.any(Number) },
          }),
        { timeout: 120_000, interval: 500 },
      )
      const now = Date.parse((await fetch(`${url}/readyz`)).headers.get('date') ?? '') / 1000
      Object.assign(official, { key, now, since: now - 90 * day })
      await run('import', 'market', '--from', official.url, '--key-file', keyFile)
      const { key: hostKey } = JSON.parse(await run('key', 'create', '--role', 'host', '--json')) as {
        key: string
      }
      await run('claim', '--source', 'vast', '--key-file', keyFile)

      const page = await (await openBrowser()).newPage()
      await page.addInitScript(`sessionStorage.setItem('rackrate-key', '${hostKey}')`)
      const name = own[0]?.gpu ?? ''
      await page.goto(`${url}/charts?gpus=${encodeURIComponent(name)}&range=90d&verified=all`)
      await page.getByText('aggregates of an official server').waitFor({ timeout: 60_000 })
      await page.goto(`${url}/price`)
      await page.getByText('Estimated from the first snapshots of the market').waitFor({ timeout: 60_000 })
      await page.close()
      expect(commands).toHaveLength(4)
    } finally {
      up.kill()
      await exited(up)
      standIn.close()
      official.close()
      for (const folder of [dir, keys]) rmSync(folder, { recursive: true, force: true })
    }
  },
  600_000,
)
