// Records a database of an earlier release for the tests of an upgrade (test/previous-release.ts): `node tools/record-release/record.mjs COMMIT`.
// The code of the commit itself makes the database, in a temporary copy (series.mjs). Writes test/fixtures/COMMIT.json.gz: the files of its schema,
// the rows of its ClickHouse tables, and its answers to some requests.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [commit] = process.argv.slice(2)
if (!commit) throw new Error('the commit is missing: node tools/record-release/record.mjs COMMIT')
const root = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'rackrate-release-'))
try {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['x', '-C', copy], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  copyFileSync(join(import.meta.dirname, 'series.mjs'), join(copy, 'test/real/record.test.ts'))
  const env = { ...process.env, RECORD_TO: join(root, 'test/fixtures', `${commit}.json.gz`) }
  const run = (...args) => execFileSync(process.execPath, args, { cwd: copy, stdio: 'inherit', env })
  run('tools/build.mjs')
  run('node_modules/vitest/vitest.mjs', 'run', '--project', 'real', 'test/real/record.test.ts')
} finally {
  rmSync(copy, { recursive: true, force: true })
}
