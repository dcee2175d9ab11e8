import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pick, seeded } from '../../../simulate/random.ts'
import { smallMarket } from '../../market.ts'
import { needs } from '../../needs.ts'
import { exited } from '../../process.ts'
import { openSite, patient, type Site } from './site.ts'

// `rackrate up` on embedded engines whose disks are full, or whose writes fail. `npm run torture -- --disk 100` runs it for long.

const times = Number(process.env.TORTURE_DISK || 1)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const places = ['postgres', 'clickhouse'] as const
const mebi = 2 ** 20

const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
const canInject = spawnSync('strace', ['-e', 'inject=fsync:error=EIO:when=1', 'true']).status === 0
needs(canMount, 'only root can mount a small disk, so disks do not run full')
needs(canInject, 'no strace is installed that can make calls fail, so writes do not fail')

const random = seeded(seed)
let site: Site

async function openMarket(): Promise<void> {
  site = openSite('disk')
  site.env.CLICKHOUSE_DISK_RESERVE = '200M'
  site.start()
  await site.isUp()
  await site.withEngines(({ postgres }) => smallMarket(postgres, 400))
  await site.captureSome(2)
  await site.expectComplete()
}

/** Captures slots and requests work that writes a lot, until the service fails. */
async function work(): Promise<void> {
  const writing = site
    .withEngines(({ postgres }) =>
      postgres.query('CREATE TABLE ballast AS SELECT md5(n::text) FROM generate_series(1, 100000) AS n'),
    )
    .catch(() => {})
  await site.captureSome(1 + Math.floor(random() * 3))
  await writing
  const loading = site.run('snapshot')
  await Promise.race([exited(loading), pause(8000)])
  loading.kill('SIGKILL')
  await exited(loading)
}

/** The fault has ended: all data is there, and the next start works, sometimes only after another try. */
async function expectWhole(round: number): Promise<void> {
  await vi.waitFor(
    () => site.withEngines(({ postgres }) => postgres.query('DROP TABLE IF EXISTS ballast')),
    patient,
  )
  await site.expectComplete()
  if (round % 10 < 9 && round !== times) return
  await site.stop()
  site.start()
  await site.isUp()
}

/** Fills the disk of a file. May fail: an engine may have taken some of the space meanwhile. */
function takeAllBut(left: number, file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file))
  execFileSync('fallocate', ['-l', `${Math.max(4096, bavail * bsize - left)}`, file], { stdio: 'ignore' })
}

describe.runIf(canMount)('full disks', () => {
  const mounted: string[] = []
  beforeAll(async () => {
    await openMarket()
    await site.stop()
    for (const place of places) {
      const dir = join(site.dir, place)
      renameSync(dir, `${dir}.before`)
      mkdirSync(dir)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m', 'tmpfs', dir])
      mounted.push(dir)
      execFileSync('cp', ['-a', `${dir}.before/.`, dir])
      rmSync(`${dir}.before`, { recursive: true })
    }
    site.start()
    await site.isUp()
  }, 600_000)
  // The disks are removed after the engines have ended.
  afterAll(async () => {
    site.up?.kill('SIGKILL')
    if (site.up) await exited(site.up)
    for (const dir of mounted) execFileSync('umount', ['-l', dir])
    await site.remove()
  }, 600_000)

  it(
    `lose nothing, ${times} times (seed ${seed})`,
    async () => {
      for (let round = 1; round <= times; round += 1) {
        const full = pick(random, [['postgres'], ['clickhouse'], places] as const)
        const left = Math.floor(random() ** 3 * 24 * mebi)
        const files = full.map((place) => join(site.dir, place, 'taken'))
        for (const file of files) await vi.waitFor(() => takeAllBut(left, file), patient)
        await work()
        // A process that starts on a full disk either ends or runs. The next process finds all data.
        const again = random() < 0.2
        if (again) {
          site.up?.kill('SIGKILL')
          if (site.up) await exited(site.up)
          site.start()
          await pause(random() * 8000)
        }
        for (const file of files) rmSync(file)
        if (again) {
          site.up?.kill('SIGKILL')
          if (site.up) await exited(site.up)
          site.start()
          await site.isUp()
        }
        await expectWhole(round)
        console.log(`disk: ${round} full (${full.join(' and ')}, ${Math.round(left / 1024)} KiB left)`)
      }
    },
    times * 600_000,
  )
})

describe.runIf(canInject)('writes that fail', () => {
  beforeAll(openMarket, 600_000)
  afterAll(() => site.remove(), 600_000)

  /** Makes the calls of a process and of all its children fail. */
  function inject(pids: readonly number[], fault: string): ChildProcess {
    const args = ['-f', '-qqq', '-e', 'trace=none', '-e', `inject=${fault}`]
    return spawn('strace', [...args, ...pids.flatMap((pid) => ['-p', `${pid}`])], { stdio: 'ignore' })
  }
  const childrenOf = (pid: number) =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
  const victims = {
    postgres: () => {
      const server = site.pidOf('postgres/postmaster.pid')
      return [server, ...childrenOf(server).filter((pid) => pid > 0)]
    },
    clickhouse: () => [site.pidOf('clickhouse/pid')],
  }
  const faults = [
    'fsync,fdatasync:error=EIO',
    'fsync,fdatasync:error=EIO',
    'pwrite64,pwritev:error=ENOSPC',
    'write,pwrite64,ftruncate,fallocate:error=EIO',
    'openat,rename:error=ENOSPC',
  ] as const

  it(
    `lose nothing, ${times * 2} times (seed ${seed})`,
    async () => {
      for (let round = 1; round <= times * 2; round += 1) {
        const victim = pick(random, places)
        const fault = `${pick(random, faults)}:when=${1 + Math.floor(random() ** 2 * 60)}`
        await vi.waitFor(() => expect(victims[victim]().length).toBeGreaterThan(0), patient)
        const tracer = inject(victims[victim](), fault)
        await pause(300)
        await work()
        tracer.kill('SIGINT')
        await exited(tracer)
        await expectWhole(round)
        console.log(`disk: ${round} failing calls (${victim}, ${fault})`)
      }
    },
    times * 1_200_000,
  )
})
