// Plants the faults of test/faults.yaml, one after another, in a copy of the working tree, and expects a test to fail each time. --only
// TEXT: only faults whose name or test file contains TEXT; may be repeated. --all: also faults that only test/all/ may catch. SLOTS: the
// number of slots of the simulation.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    all: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const isOfAll = (file) => file.startsWith('test/all/')
const table = parse(readFileSync(join(root, 'test/faults.yaml'), 'utf8'))
const faults = table.filter(
  ({ name, tests }) =>
    [name, ...tests].some((text) => values.only.some((part) => text.includes(part))) &&
    (values.all || !tests.some(isOfAll)),
)
if (faults.length === 0) fail(`test/faults.yaml has no fault with ${values.only.join(' or ')}`)
for (const { name, file, text } of table) {
  const times = readFileSync(join(root, file), 'utf8').split(text).length - 1
  if (times !== 1) fail(`${name}: ${file} has the text ${times} times, and not once: ${text}`)
}

const folder = mkdtempSync(join(tmpdir(), 'rackrate-faults-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const skipped = /\/(\.git|node_modules|test-artefacts)$/
cpSync(root, folder, { recursive: true, filter: (path) => !skipped.test(path) })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const failure = failureIn([...new Set(faults.flatMap(({ tests }) => tests))])
if (failure) fail(`Without a fault there is a failure already: ${failure}`)
let caught = 0
for (const fault of faults) {
  const found = plant(fault)
  if (found) caught += 1
  console.log(`${fault.name}: ${found ? `caught by ${found}` : 'SURVIVED'}`)
}
console.log(`${caught} of ${faults.length} faults were caught`)
process.exitCode = caught === faults.length ? 0 : 1

/** Plants a fault and returns the failure it causes, if any. */
function plant({ file, text, becomes, tests, build }) {
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(text, () => becomes),
  )
  if (build) buildCopy()
  try {
    return failureIn(tests)
  } finally {
    writeFileSync(path, source)
    if (build) buildCopy()
  }
}

function buildCopy() {
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) fail(stderr)
}

/** The first failure in some test files, if any. */
function failureIn(tests) {
  const parts = [
    [[], tests.filter((file) => !isOfAll(file))],
    [['--config=test/all/vitest.config.ts', '--project=fire'], tests.filter(isOfAll)],
  ]
  for (const [options, files] of parts) {
    const failure = files.length > 0 && run([...options, ...files])
    if (failure) return failure
  }
  return undefined
}

function run(args) {
  const outputFile = join(folder, 'report.json')
  rmSync(outputFile, { force: true })
  const { status, stderr } = spawnSync(
    'npx',
    ['vitest', 'run', '--bail=1', '--reporter=json', `--outputFile.json=${outputFile}`, ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, SLOTS: process.env.SLOTS ?? '10000' },
    },
  )
  if (status === 0) return undefined
  if (!existsSync(outputFile)) fail(`Vitest has not run: ${stderr}`)
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'))
  const failed = testResults.find((file) => file.status === 'failed')
  const test = failed?.assertionResults.find((one) => one.status === 'failed')
  return test?.fullName ?? `what stands around the tests: ${failed?.message ?? stderr}`
}

function fail(why) {
  console.error(why)
  process.exit(1)
}
