import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { startEngines } from '../embedded/engines.ts'
import { startPair } from './pair.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engines: { postgresUrl: string; clickhouse: ClickHouseServer & { cluster?: string }; redisUrl?: string }
  }
}

/** Real engines, once per project of a test run; each test file makes databases of its own on them (test/database.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-test-'))
  const database = 'test_*'
  const pair = project.name === 'cluster' ? await startPair(dir, database) : undefined
  const engines = await startEngines(dir, { postgres: true, clickhouse: !pair, database })
  const clickhouse = pair ?? engines.clickhouse
  if (!engines.databaseUrl || !clickhouse) throw new Error('the embedded engines gave no address')
  console.log(
    `engines under test (${project.name}): embedded PostgreSQL and ${pair ? 'two shards of ClickHouse' : 'ClickHouse'}`,
  )
  const { url, username, password, analyst } = clickhouse
  const address = { url, username, password, database, ...(analyst && { analyst }) }
  project.provide('engines', {
    postgresUrl: engines.databaseUrl,
    clickhouse: { ...address, ...(pair && { cluster: pair.cluster }) },
  })
  return async () => {
    await pair?.stop()
    await engines.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
