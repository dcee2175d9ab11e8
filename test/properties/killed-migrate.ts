import { expect, it } from 'vitest'
import { migrate } from '../../platform/stores/migrate.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { openFaultProxy } from '../fault-proxy.ts'
import { schemaOf } from '../previous-release.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'

/** Tests of `rackrate migrate` that is killed at each of these statements, from each of these starts. */
export function killedMigrate(
  starts: readonly ((databases: TestDatabases) => Promise<unknown>)[],
  moments: readonly ('before' | 'after')[],
  statements: readonly RegExp[],
): void {
  it('migrate, killed at any statement and run again, ends with the same schema', async () => {
    const server = await freshDatabases()
    const upgrade = () => migrate(server.postgres, server.clickhouse, server.clickhouseAddress)
    const whole = await schemaOf(server.clickhouse)
    const proxy = await openFaultProxy(server.clickhouseAddress.url)
    const environment = environmentOf(server.queues, { ...server.clickhouseAddress, url: proxy.url })
    try {
      for (const start of starts) {
        await start(server)
        for (const statement of statements) {
          for (const when of moments) {
            const victim = spawnRackrate(['migrate'], environment)
            const struck = proxy.arm(statement, when, () => victim.kill('SIGKILL'))
            expect(await exited(victim), `${when} ${statement}: ${victim.output()}`).toBe('SIGKILL')
            await struck
          }
        }
        await upgrade()
        expect(await schemaOf(server.clickhouse)).toEqual(whole)
        expect(await upgrade()).toEqual([])
      }
    } finally {
      proxy.close()
      await server.close()
    }
  })
}
