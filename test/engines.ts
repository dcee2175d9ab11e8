import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { startEngines } from '../embedded/engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engines: { postgresUrl: string; clickhouse: ClickHouseServer; redisUrl?: string }
  }
}

/** Real engines, once per test run; each test file makes databases of its own on them (test/database.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-test-'))
  const engines = await startEngines(dir, { postgres: true, clickhouse: true, database: 'test_*' })
  const { databaseUrl, clickhouse } = engines
  if (!databaseUrl || !clickhouse) throw new Error('the embedded engines gave no address')
  console.log('engines under test: embedded PostgreSQL and ClickHouse')
  project.provide('engines', { postgresUrl: databaseUrl, clickhouse })
  return async () => {
    await engines.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
