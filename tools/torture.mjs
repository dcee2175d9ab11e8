// Does harm to a running rackrate at random and checks that nothing is lost (docs/reliability.md).
// --minutes N: kills its processes and engines for so long. --disk N: makes its disks full N times, and its writes fail 2 N times.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, disk: { type: 'string' } },
})
const test = `test/all/fire/${values.disk ? 'disk' : 'torture'}.test.ts`
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config=test/all/vitest.config.ts', '--project=fire', test],
  {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, TORTURE_MINUTES: values.minutes, TORTURE_DISK: values.disk ?? '' },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
