// Tries the service on each supported version of Node, downloaded from npm. Arguments replace the default tests (no database, and embedded
// engines): `-- --project real` runs a whole project, `-- --all` everything.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

process.chdir(join(import.meta.dirname, '..'))
const versions = ['20.19', '22', '24', '26']
const usual = ['--project=pure', '--project=real', 'test/pure', 'test/web', 'test/real/embedded.test.ts']
const asked = process.argv.slice(2)
const tests = asked.includes('--all') ? [] : asked.length > 0 ? asked : usual
const folder = mkdtempSync(join(tmpdir(), 'rackrate-nodes-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const results = []
for (const version of versions) {
  const bin = install(version)
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const exact = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim()
  console.log(`\n--- Node ${exact}`)
  const seconds = await firstAnswer(join(folder, `empty-${version}`), env).catch((error) => {
    console.error(error.message)
    return undefined
  })
  const { status } = spawnSync('node', ['tools/run-tests.mjs', ...tests], { env, stdio: 'inherit' })
  results.push({ node: exact, 'first answer (s)': seconds?.toFixed(1) ?? 'none', tests: status === 0 })
}
console.table(results)
process.exitCode = results.every((one) => one.tests && one['first answer (s)'] !== 'none') ? 0 : 1

/** The folder of Node's program. A download is tried three times and has a time limit, since npm never gives up on a stuck one. */
function install(version) {
  const name = `node-${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch}`
  const prefix = join(folder, version)
  mkdirSync(prefix)
  const options = ['--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], { timeout: 180_000 })
    if (status === 0) return join(prefix, 'node_modules', name, 'bin')
  }
  throw new Error(`npm has no ${name}@${version}, or did not answer`)
}

/** Seconds from the start of everything in an empty folder, as with `npm start`, to the first answer with the simulated market. */
async function firstAnswer(cwd, env) {
  mkdirSync(cwd)
  const beganAt = performance.now()
  const program = join(process.cwd(), 'dist/cli/rackrate.js')
  const child = spawn('node', [program, 'up', '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: env.PATH, PORT: '0', LOG_LEVEL: 'error' },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const [line] = await Promise.race([
      createInterface(child.stdout)
        [Symbol.asyncIterator]()
        .next()
        .then(({ value }) => [value]),
      ended.then((code) => Promise.reject(new Error(`it ended with ${code}`))),
    ])
    const { url, keys } = JSON.parse(line)
    const answer = await fetch(`${url}/api/v0/metrics/gpu/history?gpu_name=all`, {
      headers: { authorization: `Bearer ${keys.host}` },
    })
    const text = await answer.text()
    if (!answer.ok || Object.keys(JSON.parse(text).gpus).length === 0)
      throw new Error(`${answer.status}: ${text}`)
    if (!readdirSync(cwd).includes('.rackrate')) throw new Error('it left no data directory')
    return (performance.now() - beganAt) / 1000
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
