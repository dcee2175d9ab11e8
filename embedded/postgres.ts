import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Child, childEnvironment, exitOf, spawnScript, stopChild } from './child.ts'
import { type PostgresBinaries, postgresBinaries } from './installed.ts'
import { ownDirectory } from './own-directory.ts'
import { remember } from './port-and-password.ts'
import { endOrphan, killAll } from './stop-orphan.ts'
import { type EngineLog, type Supervised, supervise } from './supervise.ts'

const keeper = createRequire(import.meta.url).resolve('#dist/embedded/postgres-keeper.js')
const startTimeoutMs = 60_000
// Timeout of a recovery. An interrupted recovery begins again, so the timeout is long.
const recoveryTimeoutMs = 600_000
const database = 'rackrate'
const shared = '/var/lib/rackrate'

export interface PostgresServer {
  url: string
}

interface Identity {
  uid?: number
  gid?: number
}

/** Settings for data that need not survive a crash of the machine. */
const withoutSync = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Starts PostgreSQL on `dataDir`/postgres and keeps it running until stop(). */
export async function startPostgres(
  dataDir: string,
  log: EngineLog,
  { isDurable = true } = {},
): Promise<Supervised<PostgresServer>> {
  const identity = unprivileged()
  const { dir, binaries } = reachable(dataDir, postgresBinaries(), identity)
  const name = `rackrate-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`
  // If a keeper is killed, its server keeps running. SIGINT is PostgreSQL's fast shutdown.
  const endOrphans = async () => {
    await endOrphan(join(dataDir, 'postgres.pid'), keeper, { signal: 'SIGINT', afterMs: 2000 }, log)
    await endOrphan(join(dir, 'postmaster.pid'), dir, { signal: 'SIGINT', afterMs: 0 }, log)
    // A busy session does not notice that its server was killed. A new server cannot start before the session has ended.
    await killAll(`postgres: ${name}: `)
  }
  await endOrphans()
  const { port, password } = await remember(dataDir, 'postgres')
  if (!existsSync(join(dir, 'PG_VERSION'))) await initialize(binaries, dir, password, identity)

  const url = (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`
  const start = async (): Promise<Child> => {
    await endOrphans()
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      log_min_messages: 'warning',
      cluster_name: name, // Part of the titles of its processes.
      max_wal_size: '256MB', // The most that a recovery reads.
      ...(!isDurable && withoutSync),
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [binaries.postgres, '-D', dir, '-p', String(port), ...args]
    const child = spawnScript(keeper, [JSON.stringify(identity), ...command], dir)
    await ready(child, url('postgres'), log)
    return child
  }
  return supervise({ url: url(database) }, start, (child) => stopChild(child, 12_000), {
    log,
    pidFile: join(dataDir, 'postgres.pid'),
  })
}

/** The user that PostgreSQL runs as when this process runs as root: PostgreSQL refuses to run as root. */
function unprivileged(): Identity {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // This machine does not have that user.
    }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and this machine has no user "postgres" or "nobody". Run rackrate as another user.',
  )
}

// Root's directories are often closed to other users (/root). The programs and the data are then in a directory of the system
// that belongs to root. Its name is derived from the data directory.
function reachable(
  dataDir: string,
  binaries: PostgresBinaries,
  { uid }: Identity,
): { dir: string; binaries: PostgresBinaries } {
  const here = { dir: join(dataDir, 'postgres'), binaries }
  if (uid === undefined) return here
  if (canEnter(dataDir, uid) && canEnter(dirname(binaries.postgres), uid)) return here
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const elsewhere = join(shared, name)
  const former = join('/var/tmp', `rackrate-${name}`)
  if (!existsSync(elsewhere) && lstatSync(former, { throwIfNoEntry: false })?.uid === 0)
    throw new Error(
      `PostgreSQL's data has moved out of /var/tmp, where every user may write. Run: mkdir -p -m 711 ${elsewhere} && mv ${former}/postgres ${elsewhere} && rm -r ${former}`,
    )
  for (const path of [shared, elsewhere]) ownDirectory(path)
  const native = join(elsewhere, 'native')
  if (!existsSync(native)) {
    const copy = `${native}.${process.pid}`
    cpSync(join(dirname(binaries.postgres), '..'), copy, { recursive: true, verbatimSymlinks: true })
    renameSync(copy, native)
  }
  return {
    dir: join(elsewhere, 'postgres'),
    binaries: { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb') },
  }
}

function canEnter(dir: string, uid: number): boolean {
  try {
    execFileSync('/usr/bin/test', ['-x', dir], { uid, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// initdb writes into a directory beside the final one, which is renamed at the end. So a killed first start leaves no incomplete
// database.
async function initialize(
  { initdb }: PostgresBinaries,
  dir: string,
  password: string,
  identity: Identity,
): Promise<void> {
  const making = `${dir}.making`
  const passwordFile = `${dir}.password`
  const { uid, gid } = identity
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  rmSync(passwordFile, { force: true })
  // `wx` refuses an existing file or symbolic link.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
  if (uid !== undefined && gid !== undefined)
    for (const path of [making, passwordFile]) lchownSync(path, uid, gid)
  try {
    const args = [
      '-D',
      making,
      '-U',
      'postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
    ]
    await promisify(execFile)(initdb, args, { env: childEnvironment(making), cwd: making, ...identity })
  } finally {
    rmSync(passwordFile, { force: true })
  }
  rmSync(dir, { recursive: true, force: true })
  renameSync(making, dir)
}

// The FATAL line of the log, except answers to connections that came too early.
const whyItEnded = /FATAL:(?!.*(?:starting up|not yet accepting|shutting down))[^\n]*/

/** True if the server responds but has no data yet: it recovers from a crash, for example. */
const isStarting = (error: unknown) => error instanceof pg.DatabaseError && error.code === '57P03'

async function ready(child: Child, url: string, log: EngineLog): Promise<void> {
  let tail = ''
  let gone = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4000)
      log(text)
    })
  }
  exitOf(child).then(() => {
    gone = true
  })
  const began = performance.now()
  for (; ; await pause(50)) {
    if (gone) throw new Error(`PostgreSQL did not start: ${tail.match(whyItEnded)?.[0] ?? tail}`)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
      if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`)
      return
    } catch (error) {
      if (performance.now() < began + (isStarting(error) ? recoveryTimeoutMs : startTimeoutMs)) continue
      await stopChild(child, 1000)
      throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
}
