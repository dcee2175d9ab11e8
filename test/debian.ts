import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'
import { needs } from './needs.ts'
import { exited } from './process.ts'

/** Servers as Debian installs them, for tests that need one of their own. */
export const hasRedis = needs(
  spawnSync('redis-server', ['--version']).status === 0,
  'no redis-server is installed, so the tests that start a Redis do not run',
)

// The PostgreSQL server of Debian, and postgresql-common, which creates clusters.
const looked = spawnSync('sh', ['-c', 'command -v pg_virtualenv && ls /usr/lib/postgresql/*/bin/pg_ctl'])
export const hasPostgres = needs(
  looked.status === 0,
  'no PostgreSQL is installed, so the tests that start one of their own use that of the test run, or do not run',
)

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

export interface OwnServer {
  url: string
  stop(): Promise<unknown>
}

/** A Redis that stores nothing on disk, as the least favourable case. */
export async function startRedis(port: number): Promise<OwnServer> {
  const redis = spawn(
    'redis-server',
    ['--port', `${port}`, '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await saying(redis, /Ready to accept connections/)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop() {
      redis.kill('SIGKILL')
      return exited(redis)
    },
  }
}

/** A PostgreSQL with its own cluster. The cluster is removed when the server is stopped, or when this process ends (its input is then closed). */
export async function startPostgres(): Promise<OwnServer> {
  const url = 'postgres://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/$PGDATABASE'
  const server = spawn(
    'pg_virtualenv',
    ['-t', '-o', 'max_connections=200', 'sh', '-c', `echo "${url}" >&3; exec 3>&-; cat`],
    // Its output needs a reader, even after this process has ended: it writes while it cleans up, and restarts the cleanup if it
    // cannot.
    {
      stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
      env: { PATH: process.env.PATH, PGPORT: `${await freePort()}` },
    },
  )
  return {
    url: await saying(server, /^postgres:.*(?=\n)/m),
    stop() {
      server.stdin?.end()
      return exited(server)
    },
  }
}

/**
 * Waits for words in the output of a program, and returns them. The rest of the output is read on, so that the program never
 * waits for a reader.
 */
const saying = (child: ChildProcess, words: RegExp) =>
  new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${child.spawnfile} ended`)))
    let output = ''
    for (const stream of [child.stdout, child.stdio[3] as Readable | undefined])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const said = words.exec(output)
        if (said) resolve(said[0])
      })
  })
