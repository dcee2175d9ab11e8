// Kills the processes and engines of rackrate at random and checks that nothing is lost (docs/reliability.md). --minutes N: for how long.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'fire', 'test/fire/torture.test.ts'], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, TORTURE_MINUTES: values.minutes },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
