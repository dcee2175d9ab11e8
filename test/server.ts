import { buildApp } from '../src/app.ts'
import { createKeyFor } from '../src/commands/key.ts'
import { freshDatabases, type TestDatabases } from './database.ts'

export interface TestServer extends TestDatabases {
  app: Awaited<ReturnType<typeof buildApp>>
  adminKey: string
  /** GET with a key (the admin's unless given); the body parsed. */
  get(path: string, key?: string): Promise<{ status: number; headers: Record<string, unknown>; body: never }>
}

/** The whole service on databases of its own. */
export async function startServer(
  options: { rateLimit?: number; snapshotInterval?: number; seriesMaxAgeMs?: number } = {},
): Promise<TestServer> {
  const databases = await freshDatabases()
  const app = await buildApp(
    {
      rateLimit: 1_000_000,
      snapshotInterval: 300,
      trustProxy: false,
      logLevel: 'error',
      ...options,
      ...databases,
    },
    { metrics: true, companion: true },
  )
  const { key: adminKey } = await createKeyFor(databases.postgres, { role: 'admin' })
  return {
    ...databases,
    app,
    adminKey,
    async get(path, key = adminKey) {
      const response = await app.inject({ url: path, headers: { authorization: `Bearer ${key}` } })
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.body ? response.json() : undefined,
      } as never
    },
    async close() {
      await app.close()
      await databases.close()
    },
  }
}
