// Removes, one after another, what keeps a writer without its lock from doing harm, and expects a test to fail each time
// (docs/reliability.md). SLOTS: how many slots the simulation may take.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const tests = [
  ['--project', 'real', 'test/real/fence.test.ts'],
  ['--project', 'fire', 'test/fire/simulation.test.ts'],
]
const mutations = [
  ['no lock', 'ingest/write-series.ts', 'locks.series', 'Math.floor(Math.random() * 1e9)'],
  ['revisions without the lock', 'ingest/write-series.ts', 'await session.query', 'await postgres.query'],
  ['statements for PostgreSQL without the lock', 'ingest/write-series.ts', 'postgres: session,', 'postgres,'],
  [
    'statements of others go on',
    'ingest/write-series.ts',
    '  await endRunning(clickhouse)\n  // A',
    '  // A',
  ],
  ['removals of others go on', 'ingest/write-series.ts', '=== 0) return\n', '>= 0) return\n'],
  [
    'statements that began before an entry go on',
    'ingest/load.ts',
    '  await endStatementsOfOthers(series.clickhouse)\n',
    '',
  ],
  ['a part of a snapshot passes for all of it', 'ingest/rollup.ts', 'rows.map(({ slot }) => slot)', '[]'],
]
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'rackrate-mutated-'))
const skipped = /\/(\.git|node_modules|test-artefacts)$/
let survived = 0
try {
  cpSync(root, folder, { recursive: true, filter: (path) => !skipped.test(path) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, file, text, replacement] of mutations) {
    const path = join(folder, file)
    const source = readFileSync(path, 'utf8')
    if (!source.includes(text)) throw new Error(`${file} has no text ${text}`)
    writeFileSync(path, source.replace(text, replacement))
    const noticed = tests.find(
      (test) =>
        spawnSync('npx', ['vitest', 'run', ...test], {
          cwd: folder,
          env: { ...process.env, SLOTS: process.env.SLOTS ?? '10000' },
        }).status !== 0,
    )
    writeFileSync(path, source)
    if (!noticed) survived += 1
    console.log(`${name}: ${noticed ? `noticed by ${noticed.at(-1)}` : 'NOT NOTICED'}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = survived === 0 ? 0 : 1
