import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Servers as a Linux distribution installs them, for tests beside the embedded engines. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0
if (!hasRedis) console.warn('no redis-server on this machine: the tests on Redis are left out')

const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
const bin = versions.length > 0 ? `/usr/lib/postgresql/${versions.sort().at(-1)}/bin` : undefined
export const hasPostgres = bin !== undefined
if (!hasPostgres) console.warn('no PostgreSQL on this machine: the embedded one stands in for it')

/** One of the programs that come with that PostgreSQL. */
export const postgresProgram = (name: string) => `${bin}/${name}`

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A Redis that remembers nothing, as the least favourable case. */
export async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn(
    'redis-server',
    ['--port', `${port}`, '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await saying(redis, /Ready to accept connections/)
  return redis
}

/** A PostgreSQL with a cluster of its own, gone when it's stopped. */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  // It refuses to be root's; the package brings an account for it.
  const isRoot = process.getuid?.() === 0
  const user = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  const owner = isRoot ? { uid: user('-u'), gid: user('-g') } : {}
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-postgres-'))
  chmodSync(dir, 0o700)
  if (isRoot) chownSync(dir, user('-u'), user('-g'))
  const data = join(dir, 'data')
  execFileSync(postgresProgram('initdb'), ['-D', data, '-U', 'rackrate', '-A', 'trust', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
    cwd: dir,
  })
  const port = await freePort()
  const server = spawn(
    postgresProgram('postgres'),
    ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', dir, '-c', 'max_connections=200'],
    { ...owner, stdio: ['ignore', 'ignore', 'pipe'], cwd: dir },
  )
  await saying(server, /ready to accept connections/)
  return {
    url: `postgres://rackrate@127.0.0.1:${port}/postgres`,
    stop: () =>
      new Promise((resolve) => {
        server.once('exit', () => {
          rmSync(dir, { recursive: true, force: true })
          resolve()
        })
        server.kill('SIGINT')
      }),
  }
}

/** Waits until a program has said it; its output is read on, so that it never waits for a reader. */
const saying = (child: ChildProcess, words: RegExp) =>
  new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${child.spawnfile} ended`)))
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => words.test(text) && resolve())
  })
