import { createHash } from 'node:crypto'
import { openVault } from '../platform/security/vault.ts'
import { openClickHouse } from '../platform/stores/clickhouse.ts'
import { openPostgres } from '../platform/stores/postgres.ts'
import { buildApp } from './app.ts'
import { polledByAgents } from './companion/copytool/controller.ts'
import { openSender } from './rules/webhook/send.ts'

/** The OpenAPI document of all services. It needs no database: only requests open connections. */
export async function documentOf(): Promise<object> {
  const nowhere = '127.0.0.1:9'
  const postgres = openPostgres(`postgres://${nowhere}/nowhere`, () => {})
  const clickhouse = openClickHouse({ url: `http://${nowhere}`, username: '', password: '', database: '' })
  const vault = openVault({ key: Buffer.alloc(32) })
  const shared = { vault, onOutbox: () => {}, publicUrl: undefined }
  const app = await buildApp(
    {
      postgres,
      clickhouse,
      vault,
      clock: { now: () => 0 },
      snapshotInterval: 300,
      rateLimit: 1,
      addressRateLimit: 1,
      parallelRequests: 1,
      trustedProxies: 0,
      logLevel: 'silent',
    },
    {
      metrics: { adHoc: undefined },
      companion: { ...shared, controller: polledByAgents, signInByMail: true },
      alerts: { ...shared, privateHosts: [], send: openSender({ privateHosts: [] }) },
    },
  )
  try {
    const { statusCode, body } = await app.inject('/openapi.json')
    if (statusCode !== 200) throw new Error(body)
    return JSON.parse(body)
  } finally {
    await app.close()
    await clickhouse.close()
    await postgres.end()
  }
}

/** A hash of the document, the same for equal documents. */
export const fingerprintOf = (document: object): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex')
