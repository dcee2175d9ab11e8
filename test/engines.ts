import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { startEngines } from '../embedded/engines.ts'
import { execute, openClickHouse } from '../platform/stores/clickhouse.ts'
import { openPostgres } from '../platform/stores/postgres.ts'
import { createAnalyst, dropAnalyst } from './ad-hoc-account.ts'
import {
  type Container,
  clickhouseContainer,
  hasDocker,
  postgresContainer,
  redisContainer,
} from './containers.ts'
import { startPair } from './pair.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engines: {
      postgresUrl: string
      clickhouse: ClickHouseServer & { cluster?: string }
      /** For a ClickHouse by URL: an account for ad hoc SQL per worker, so that no file waits for the limits of another. */
      analysts?: Analyst[]
      /** Absent where the queues are in PostgreSQL. */
      redisUrl?: string
      /** The suffix of the names of databases that several test files copy. */
      run: string
    }
  }
}

type Analyst = NonNullable<ClickHouseServer['analyst']>

/** The databases that tests make. */
const database = 'test_*'

/**
 * Real engines, once per project of a test run; each test file makes databases of its own on them (test/database.ts). Each of the three is the server
 * of the given URL, without a URL a container if there is a Docker engine, and otherwise an embedded engine; Redis is never embedded.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ends: (() => unknown)[] = []
  const end = async () => {
    for (const one of ends.reverse()) await one()
  }
  try {
    await provideEngines(project, ends)
  } catch (error) {
    await end()
    throw error
  }
  return end
}

async function provideEngines(project: TestProject, ends: (() => unknown)[]): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-test-'))
  chmodSync(dir, 0o711) // else root's PostgreSQL would stand elsewhere, and stay there
  ends.push(() => rmSync(dir, { recursive: true, force: true }))
  const { TEST_DATABASE_URL, TEST_CLICKHOUSE_URL, TEST_REDIS_URL, TEST_ENGINES } = process.env
  const inDocker = TEST_ENGINES !== 'embedded' && (await hasDocker())
  const find = async (url: string | undefined, start: () => Promise<Container>) => {
    const found = url
      ? { url, how: `at ${new URL(url).host}` }
      : inDocker
        ? await contained(start)
        : undefined
    if (found && 'stop' in found) ends.push(found.stop)
    return found
  }
  const isPair = project.name === 'cluster'
  const [postgres, clickhouse, redis] = await Promise.all([
    find(TEST_DATABASE_URL, postgresContainer),
    isPair ? undefined : find(TEST_CLICKHOUSE_URL, clickhouseContainer),
    find(TEST_REDIS_URL, redisContainer),
  ])

  const pair = isPair ? await startPair(dir, database) : undefined
  if (pair) ends.push(pair.stop)
  const embedded = await startEngines(dir, {
    postgres: !postgres,
    clickhouse: !pair && !clickhouse,
    database,
    isDurable: false,
    keepsMemory: true,
  })
  ends.push(embedded.stop)

  const postgresUrl = postgres?.url ?? embedded.databaseUrl
  const outside = clickhouse && (await served(clickhouse.url, project, ends))
  const server = pair ?? outside ?? embedded.clickhouse
  if (!postgresUrl || !server) throw new Error('the embedded engines gave no address')
  const { url, username, password, analyst } = server
  const run = randomBytes(6).toString('hex')
  ends.push(() => dropCopied(run, postgresUrl, server))
  project.provide('engines', {
    postgresUrl,
    run,
    clickhouse: {
      url,
      username,
      password,
      database,
      ...(analyst && { analyst }),
      ...(pair && { cluster: pair.cluster }),
    },
    ...(outside && { analysts: outside.analysts }),
    ...(redis && { redisUrl: redis.url }),
  })
  console.log(
    `engines under test (${project.name}): PostgreSQL ${postgres?.how ?? 'embedded'}, ClickHouse ${
      pair ? 'embedded as two shards' : (clickhouse?.how ?? 'embedded')
    }, ${redis ? `Redis ${redis.how}` : 'no Redis (queues in PostgreSQL)'}`,
  )
}

/** Removes the databases that test files have copied (test/database.ts). */
async function dropCopied(run: string, postgresUrl: string, server: ClickHouseServer): Promise<void> {
  const postgres = openPostgres(postgresUrl, () => {}, { max: 1 })
  const clickhouse = openClickHouse({ ...server, database: 'default' })
  const { rows } = await postgres.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
    [`%\\_${run}`],
  )
  for (const { name } of rows) {
    await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`)
    const [, own = ''] = /^(test_[0-9a-f]+)_/.exec(name) ?? []
    await execute(clickhouse, 'DROP DATABASE IF EXISTS {own:Identifier}', { own })
  }
  await clickhouse.close()
  await postgres.end()
}

/** An engine in a container; undefined, with the reason printed, if it cannot be started, for example without a registry. */
async function contained(start: () => Promise<Container>) {
  try {
    const { image, ...container } = await start()
    return { ...container, how: `in Docker (${image})` }
  } catch (error) {
    console.warn(`There is a Docker engine, but ${(error as Error).message}`)
    return undefined
  }
}

/** A ClickHouse by URL, with accounts for ad hoc SQL where its own account may make some. */
async function served(
  given: string,
  project: TestProject,
  ends: (() => unknown)[],
): Promise<ClickHouseServer & { analysts: Analyst[] }> {
  const { origin: url, username, password } = new URL(given)
  const server = {
    url,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database,
  }
  const analysts: Analyst[] = []
  const clickhouse = openClickHouse({ ...server, database: 'default' })
  ends.push(async () => {
    for (const one of analysts) await dropAnalyst(clickhouse, one)
    await clickhouse.close()
  })
  try {
    const { maxWorkers = 1 } = project.vitest.config
    while (analysts.length < Number(maxWorkers)) analysts.push(await createAnalyst(clickhouse, server))
  } catch (error) {
    console.warn(`No accounts for ad hoc SQL, its tests are left out: ${(error as Error).message}`)
  }
  const [analyst] = analysts
  return { ...server, ...(analyst && { analyst }), analysts }
}
