// Runs the tests that `npm test` leaves out, in parts: all of them, or the parts named as arguments. Prints the result of each.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

process.chdir(join(import.meta.dirname, '..'))
const project = (name) => [
  'node',
  ['tools/run-tests.mjs', '--config=test/all/vitest.config.ts', `--project=${name}`],
]
/** Tests of behavior that may differ in other versions of PostgreSQL or Redis. */
const onInstalled =
  'authorization copytool frame hostile key-end limits message-limits operation queue removal schedule team team-changes templates tfa vault volumes'
const parts = {
  real: project('real'),
  browser: project('browser'),
  kills: project('kills'),
  cluster: project('cluster'),
  fire: project('fire'),
  containers: project('containers'),
  node: ['node', ['tools/test-nodes.mjs']],
  installed: [
    'sh',
    [
      'tools/test-installed.sh',
      '--project=real',
      ...onInstalled.split(' ').map((name) => `test/real/${name}.test.ts`),
    ],
  ],
}

const { positionals: asked } = parseArgs({ allowPositionals: true })
const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
const results = (asked.length > 0 ? asked : Object.keys(parts)).map((name) => {
  console.log(`\n--- ${name}`)
  const [command, args] = parts[name]
  const startedAt = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  return { part: name, passed: status === 0, minutes: ((performance.now() - startedAt) / 60_000).toFixed(1) }
})
console.table(results)
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
