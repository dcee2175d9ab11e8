// Damages a running rackrate at random and checks that nothing is lost (docs/reliability.md). --minutes N: kills its processes and engines
// for N minutes. --disk N: fills its disks N times, and makes its writes fail 2 N times.
// --small N: keeps its disk full by small writes, N times on each of two file systems. --report: runs everything of this kind, for some
// hours, and writes the results into docs/reliability.md. --scale 0.01: runs a hundredth of it. --report FILE…: runs only these files, such
// as fire/fuzz, and leaves the rows of the others.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/reliability.md')
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    disk: { type: 'string' },
    small: { type: 'string' },
    report: { type: 'boolean', default: false },
    scale: { type: 'string', default: '1' },
  },
})

/** Rows: description, test file, number of runs at full size, the variable that sets it, other variables, and the least number of runs. */
const battery = [
  ['slots simulated with faults', 'fire/simulation', 1_000_000, 'SLOTS', { SEED: String(Date.now() % 1e9) }],
  ['decisions of the autopilot with faults', 'fire/autopilot', 1_000_000, 'CYCLES'],
  ['inputs at random', 'fire/fuzz', 1_000_000, 'FUZZ_RUNS'],
  ['texts at random in requests', 'real/any-text', 100_000, 'TEXT_INPUTS'],
  ['minutes of kills of processes and engines', 'fire/torture', 60, 'TORTURE_MINUTES'],
  ['full disks, and twice as many failing writes', 'fire/disk', 100, 'TORTURE_DISK'],
  ['disks kept full, on each of two file systems', 'fire/small-writes', 3, 'SMALL_WRITES'],
  ['storms over all writing operations', 'real/storm', 10, 'STORM_ROUNDS'],
  ['rounds of hostile clients', 'fire/hostile-clients', 10, 'CLIENT_ROUNDS'],
  ['kills while alerts fire', 'kills/alert-kills', 200, 'ALERT_KILLS'],
  ['kills while the autopilot sets prices', 'kills/autopilot-kills', 200, 'AUTOPILOT_KILLS'],
  ['rolling restarts of each process', 'kills/rolling-restart', 10, 'ROUNDS'],
  // ClickHouse opens most of its descriptors in the first day.
  ['days of a site in fast time', 'real/soak', 14, 'SOAK_DAYS', {}, 2],
]

function run(file, env) {
  const [project] = file.split('/')
  const args = ['vitest', 'run', '--config=test/all/vitest.config.ts', `--project=${project}`]
  const { status } = spawnSync('npx', [...args, `test/all/${file}.test.ts`], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return status === 0
}

function report(scale) {
  const unknown = asked.filter((name) => !battery.some(([, file]) => file === name))
  if (unknown.length > 0)
    throw new Error(
      `Unknown: ${unknown.join(', ')}. There are ${battery.map(([, file]) => file).join(', ')}.`,
    )
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  return battery
    .filter(([, file]) => asked.length === 0 || asked.includes(file))
    .map(([what, file, full, variable, env = {}, least = 1]) => {
      const size = Math.max(least, Math.round(full * scale))
      const startedAt = performance.now()
      const passed = run(file, { [variable]: String(size), ...env })
      const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
      const cells = [what, size.toLocaleString('en-US'), passed ? 'passed' : 'failed', minutes]
      writeRow([...cells, new Date().toISOString().slice(0, 10), commit])
      return passed
    })
    .every(Boolean)
}

/** Replaces the row that begins with the same words in the last table of the page that has one. */
function writeRow(cells) {
  const text = readFileSync(page, 'utf8')
  const before = text.split('\n').findLast((line) => line.startsWith(`| ${cells[0]} `))
  if (before === undefined) throw new Error(`docs/reliability.md has no row "${cells[0]}"`)
  writeFileSync(
    page,
    text.replace(before, () => `| ${cells.join(' | ')} |`),
  )
  execFileSync('npx', ['biome', 'format', '--write', page], { cwd: root, stdio: 'inherit' })
}

const passed = values.report
  ? report(Number(values.scale))
  : values.disk
    ? run('fire/disk', { TORTURE_DISK: values.disk })
    : values.small
      ? run('fire/small-writes', { SMALL_WRITES: values.small })
      : run('fire/torture', { TORTURE_MINUTES: values.minutes })
process.exitCode = passed ? 0 : 1
