import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { smallMarket } from '../../market.ts'
import { needs } from '../../needs.ts'
import { exited } from '../../process.ts'
import { openSite, type Site } from './site.ts'

// `rackrate up` whose ClickHouse has a disk of its own, which small writes fill and keep full. `npm run torture -- --small 3` runs it for each file system.

const times = Number(process.env.SMALL_WRITES || 1)
const fullSeconds = 75
const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
const canLoop = canMount && spawnSync('losetup', ['-f']).status === 0
needs(canMount, 'only root can mount a small disk, so small writes do not fill one')
needs(canLoop, 'there is no loop device, so small writes do not fill an ext4')

const mounts = {
  tmpfs: (dir: string) => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=900m', 'tmpfs', dir]),
  ext4(dir: string) {
    const image = `${dir}.image`
    execFileSync('truncate', ['-s', '900M', image])
    execFileSync('mkfs.ext4', ['-q', '-m', '0', image])
    execFileSync('mount', ['-o', 'loop', image, dir])
  },
}

/** Writes 4 kB at a time until the disk has no byte left, again and again. */
async function keepFull(file: string, seconds: number): Promise<void> {
  const block = Buffer.alloc(4096, 1)
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(5)) {
    const handle = openSync(file, 'a')
    try {
      for (let written = 1; ; written += 1) {
        writeSync(handle, block)
        if (written % 1000 === 0) await breathe()
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(handle)
    }
  }
}

let site: Site
let disk = ''
afterEach(async () => {
  site.up?.kill('SIGKILL')
  if (site.up) await exited(site.up)
  if (disk) execFileSync('umount', ['-l', disk])
  await site.remove()
}, 600_000)

/** The rows that answers are computed from. */
const stored = () =>
  site.withEngines(({ clickhouse }) =>
    selectRows(
      clickhouse,
      `SELECT step, count() AS rows, sum(cityHash64(gpu_name, bucket, rented_median, avail_median, rented_verified)) AS hash
       FROM cube FINAL GROUP BY step ORDER BY step`,
    ),
  )

describe.each(['tmpfs', 'ext4'] as const)('a disk of %s that small writes fill', (system) => {
  it
    .runIf(system === 'ext4' ? canLoop : canMount)
    .each(Array.from({ length: times }, (_, index) => index + 1))(
    'loses nothing, run %i',
    async () => {
      site = openSite('small')
      site.env.CLICKHOUSE_DISK_RESERVE = '300M'
      disk = join(site.dir, 'clickhouse')
      mkdirSync(disk, { mode: 0o700 })
      mounts[system](disk)
      site.start()
      await site.isUp()
      await site.withEngines(({ postgres }) => smallMarket(postgres, 400))
      // Parts that are merged while the disk fills.
      for (let hour = 0; hour < 6; hour += 1) await site.captureSome(4)
      await site.expectComplete()
      const before = await stored()
      const last = site.slot

      const file = join(disk, 'taken')
      const filling = keepFull(file, fullSeconds)
      await site.captureSome(4)
      await filling
      rmSync(file)
      await site.expectComplete()
      // Earlier rows are unchanged, and no part was set aside.
      const since = await site.withEngines(({ clickhouse }) =>
        selectRows(clickhouse, 'SELECT name FROM system.detached_parts'),
      )
      expect(since).toEqual([])
      expect(site.slot).toBeGreaterThan(last)
      expect((await stored()).length).toBe(before.length)
      await site.stop()
      site.start()
      await site.isUp()
      await site.expectComplete()
    },
    1_200_000,
  )
})
