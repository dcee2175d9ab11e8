import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const heading =
  'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone'

/** A row of a file of skypilot-catalog, as AWS has them. */
export const vm = (
  instance: string,
  gpu: string,
  count: number,
  price: string,
  spot = '',
  zone = 'use1-az1',
): string => [instance, gpu, `${count}.0`, '4.0', '16.0', '', price, spot, 'us-east-1', zone].join()

/** A git repository of the layout of skypilot-catalog, in a folder of its own. */
export function openGitCatalog() {
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-skypilot-'))
  const git = (args: string[], at = 0) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Bot', '-c', 'user.email=bot@example.com', ...args], {
      env: {
        PATH: process.env.PATH ?? '',
        GIT_AUTHOR_DATE: `${at} +0000`,
        GIT_COMMITTER_DATE: `${at} +0000`,
      },
    }).toString()
  git(['init', '--quiet'])
  return {
    folder,
    /** Commits files of rows at a time, unix seconds. */
    commit(at: number, files: Record<string, readonly string[]>) {
      for (const [name, rows] of Object.entries(files)) {
        const path = join(folder, 'catalogs', name)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `${[heading, ...rows].join('\n')}\n`)
      }
      git(['add', '--all'])
      git(['commit', '--quiet', '--message', 'Update'], at)
    },
  }
}
