// Runs Vitest and reports: skips with their reasons, failures with the command that repeats them, and one line of totals. A failed file is
// run once more. If it passes then, it is printed as FLAKY and entered in test/flaky.md. --timings: also writes the seconds of each file to
// test/timings.json. All other arguments are Vitest's.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
process.chdir(root)
const { values, positionals, tokens } = parseArgs({
  args: process.argv.slice(2),
  options: {
    timings: { type: 'boolean', default: false },
    project: { type: 'string', multiple: true },
    config: { type: 'string' },
    testNamePattern: { type: 'string', short: 't' },
  },
  strict: false,
  tokens: true,
})
const options = tokens
  .filter(({ kind, name }) => kind === 'option' && name !== 'timings')
  .map(({ name, value }) => `--${name}${value === undefined ? '' : `=${value}`}`)

nameObstacles()
const folder = mkdtempSync(join(tmpdir(), 'rackrate-run-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const skips = join(folder, 'skips')

const first = run(positionals)
const failed = filesOf(first, 'failed')
const repeated = failed.length > 0 ? repeat(failed) : undefined
report()

/** Reports obstacles that would end in a time-out: a full disk, or servers that an earlier run left behind. */
function nameObstacles() {
  const { bavail, bsize } = statfsSync(tmpdir())
  const gibibytes = (bavail * bsize) / 2 ** 30
  if (gibibytes < 2) {
    console.error(
      `${tmpdir()} has ${gibibytes.toFixed(1)} GiB left, and the tests need 2: make room, or set TMPDIR.`,
    )
    process.exit(1)
  }
  for (const { pid, command } of orphans())
    console.warn(
      `Left over from an earlier run, and taking a share of the machine: ${command} (end it with: kill ${pid})`,
    )
}

function orphans() {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        return parent === '1' && command.includes(join(tmpdir(), 'rackrate-')) ? [{ pid, command }] : []
      } catch {
        return [] // the process has ended
      }
    })
}

/** Runs Vitest on some files, or on all. Returns its report with its exit code. */
function run(files) {
  const outputFile = join(folder, 'report.json')
  rmSync(outputFile, { force: true })
  const args = [...options, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`]
  const { status } = spawnSync('npx', ['vitest', 'run', ...files, ...args], {
    env: { ...process.env, TEST_SKIPS: skips },
    stdio: 'inherit',
  })
  const report = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : { testResults: [] }
  return { ...report, status }
}

function filesOf({ testResults }, status) {
  return [
    ...new Set(testResults.filter((file) => file.status === status).map(({ name }) => relative(root, name))),
  ]
}

function repeat(files) {
  console.log(`\nOnce more, since they failed: ${files.join(' ')}\n`)
  const again = run(files)
  const stillFailing = again.status === 0 ? [] : filesOf(again, 'failed')
  for (const { name, assertionResults } of first.testResults) {
    const file = relative(root, name)
    if (!files.includes(file) || stillFailing.includes(file) || again.testResults.length === 0) continue
    const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    for (const test of tests.length > 0 ? tests : ['(the file itself)']) {
      const entry = `${file} › ${test}`
      console.log(`FLAKY ${entry}`)
      const today = new Date().toISOString().slice(0, 10)
      appendFileSync('test/flaky.md', `| ${today} | ${entry.replaceAll('|', '\\|')} | not found yet |\n`)
    }
  }
  return again
}

function report() {
  const last = repeated ?? first
  const results = new Map(first.testResults.map((file) => [file.name, file]))
  for (const file of repeated?.testResults ?? []) results.set(file.name, file)
  const tests = [...results.values()].flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(root, name) })),
  )
  const of = (...states) => tests.filter(({ status }) => states.includes(status))
  if (values.timings) writeTimings()

  const reasons = existsSync(skips) ? [...new Set(readFileSync(skips, 'utf8').trim().split('\n'))] : []
  for (const reason of reasons) console.log(`Skipped: ${reason}`)
  for (const { file, fullName, title } of of('failed'))
    console.log(
      `FAILED ${file} › ${fullName}\n  Repeat it with: npm test -- ${file} -t ${JSON.stringify(title)}`,
    )
  const [passed, wrong, skipped] = [of('passed'), of('failed'), of('skipped', 'pending', 'todo')].map(
    ({ length }) => length,
  )
  if (last.status !== 0 && wrong === 0)
    console.log(`Vitest ended with ${last.status}, outside of any test: see above.`)
  console.log(`Tests: ${passed} passed, ${wrong} failed, ${skipped} skipped`)
  process.exitCode = last.status === 0 && tests.length > 0 ? 0 : 1
}

function writeTimings() {
  const seconds = first.testResults.map(({ name, startTime, endTime }) => [
    relative(root, name),
    Math.round((endTime - startTime) / 100) / 10,
  ])
  const sorted = seconds.sort(([, one], [, other]) => other - one)
  writeFileSync('test/timings.json', `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
