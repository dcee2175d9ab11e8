// Runs the test files that differ from a commit (--base, default origin/main or main) 20 times (--times), in a random order, beside a load
// of four busy processes (--load). Ends at the first failure.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

process.chdir(join(import.meta.dirname, '..'))
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    times: { type: 'string', default: '20' },
    load: { type: 'string', default: '4' },
  },
})
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const base = values.base ?? (git('branch', '--remotes', '--list', 'origin/main') ? 'origin/main' : 'main')
const changed = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`
const files = changed.split('\n').filter((file) => /\.test\.tsx?$/.test(file) && existsSync(file))
const parts = [
  [[], files.filter((file) => !file.startsWith('test/all/'))],
  [['--config=test/all/vitest.config.ts'], files.filter((file) => file.startsWith('test/all/'))],
].filter(([, some]) => some.length > 0)
if (parts.length === 0) console.log(`no test file differs from ${base}`)

const busy = Array.from({ length: Number(values.load) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const process of busy) process.kill('SIGKILL')
})
for (let time = 1; time <= Number(values.times); time += 1) {
  for (const [options, some] of parts) {
    const args = ['vitest', 'run', ...options, `--sequence.seed=${time}`, ...some]
    console.log(`\n${time} of ${values.times}: npx ${args.join(' ')}`)
    const { status } = spawnSync('npx', args, { stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
}
