import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { allPermissions } from '../../contract/permissions.ts'
import type { Caller } from '../../platform/security/auth.ts'
import { transaction } from '../../platform/stores/postgres.ts'
import type { Letter } from '../../src/companion/outbox/carriers.ts'
import { writeMessage } from '../../src/companion/outbox/write.ts'
import { createJob } from '../../src/companion/schedule/create-job.ts'
import type { JobFields } from '../../src/companion/schedule/schema.ts'
import { migrateQueues, openQueues, type QueueAddress } from '../../workers/queues.ts'
import { queueNames } from '../../workers/schedule.ts'
import { startWorkers, type Workers } from '../../workers/start.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { freePort, hasRedis, type OwnServer, startRedis } from '../debian.ts'
import { smallMarket } from '../market.ts'
import { farStart } from '../world.ts'

const renter = { accountId: 1002, createdBy: 1002, permissions: allPermissions } as Caller
const job: JobFields = {
  start_time: farStart(),
  api_endpoint: '/api/v0/ssh',
  request_method: 'GET',
  frequency: 'HOURLY',
}
const log = { info() {}, error: (_details: object, _message: string) => {} }
const shared = inject('engines').redisUrl
/** Tests of the schedules of workers, with their queues in this backend. */
export function schedulesOn(backend: 'postgres' | 'redis'): void {
  describe(`the schedules on ${backend}`, () => {
    let databases: TestDatabases
    let address: QueueAddress
    let redis: OwnServer | undefined
    const running: Workers[] = []

    beforeAll(async () => {
      databases = await freshDatabases()
      await smallMarket(databases.postgres, 30)
      const { databaseUrl } = databases.queues
      if (backend === 'redis' && !shared) redis = await startRedis(await freePort())
      address = { databaseUrl, redisUrl: backend === 'redis' ? (shared ?? redis?.url) : undefined }
      await migrateQueues(databases.postgres, address)
    })
    afterEach(async () => {
      await Promise.all(running.splice(0).map((workers) => workers.close(5000)))
    })
    afterAll(async () => {
      await redis?.stop()
      await databases?.close()
    })

    const letters: Letter[] = []
    const calls: string[] = []
    const carry = async (letter: Letter) => {
      letters.push(letter)
    }
    const work = async (options: { redisUrl?: string; renewMs?: number } = {}) => {
      running.push(
        await startWorkers({
          ...databases,
          ...address,
          snapshotInterval: 300,
          spoolRetention: 2,
          carriers: { email: carry, sms: carry },
          sendHook: async () => ({ status: 200, reason: null }),
          callApi: async ({ url }) => {
            calls.push(url)
            return { status: 200, body: '' }
          },
          log,
          ...options,
        }),
      )
    }
    const loaded = async () =>
      (
        await databases.postgres.query<{ slot: number }>(
          'SELECT slot FROM snapshots WHERE loaded_at IS NOT NULL ORDER BY slot',
        )
      ).rows
    const schedulers = async (where: Partial<QueueAddress> = {}) => {
      const found: Record<string, string[]> = {}
      const queues = openQueues({ ...address, ...where })
      for (const name of queueNames) {
        const queue = queues.queue(name)
        queue.on('error', () => {})
        found[name] = (await queue.getJobSchedulers()).map(({ key }) => key)
      }
      await queues.close()
      return found
    }
    const inPlace = Object.fromEntries(queueNames.map((name) => [name, [name]]))

    it('two workers that start at once capture the current slot once and load it', async () => {
      await Promise.all([work(), work()])
      // A next slot may begin meanwhile, and be taken, too.
      await vi.waitFor(
        async () => {
          const { rows } = await databases.postgres.query('SELECT slot FROM snapshots ORDER BY slot')
          expect(rows.length).toBeGreaterThan(0)
          expect(await loaded()).toEqual(rows)
        },
        { timeout: 90_000 },
      )
      expect(await schedulers()).toEqual(inPlace)
      // Comparables are stored for all processes that answer; without them each process reads them itself.
      await vi.waitFor(
        async () => {
          const { rows } = await databases.postgres.query('SELECT DISTINCT kind FROM comparables')
          expect(rows).toHaveLength(7)
        },
        { timeout: 30_000 },
      )
    })

    it('waiting mail is sent and a due scheduled job runs, each once, with any number of workers', async () => {
      const { postgres, clock, vault } = databases
      await transaction(postgres, (client) =>
        writeMessage(
          { client, vault },
          {
            kind: 'email code',
            sender: renter.accountId,
            isOwn: true,
            channel: 'email',
            recipient: 'a@example.com',
            subject: 'Hello',
            text: 'there',
            usefulFor: 600,
          },
        ),
      )
      await transaction(postgres, (client) =>
        createJob({ id: renter.accountId, client, clock, vault }, renter, job),
      )
      await postgres.query(
        `UPDATE scheduled_jobs SET next_run_at = date_trunc('hour', rackrate_now()), start_time = rackrate_now() - interval '1 day'`,
      )
      await Promise.all([work(), work(), work()])
      await vi.waitFor(
        async () => {
          const { rows } = await postgres.query('SELECT outcome FROM scheduled_job_runs')
          expect([letters.length, rows]).toEqual([1, [{ outcome: 'ok' }]])
        },
        { timeout: 90_000 },
      )
      expect(letters).toMatchObject([{ recipient: 'a@example.com', subject: 'Hello', text: 'there' }])
      expect(calls).toEqual(['/api/v0/ssh'])
      await postgres.query('DELETE FROM scheduled_jobs')
    })

    it('a schedule that is no longer in the table goes when a worker boots', async () => {
      const queues = openQueues(address)
      await queues
        .queue('load')
        .upsertJobScheduler('of-yesterday', { pattern: '0 0 * * *', tz: 'UTC' }, { name: 'of-yesterday' })
      await queues.close()
      await work()
      expect(await schedulers()).toEqual(inPlace)
    })

    // Only for Redis: PostgreSQL neither loses its data nor is shared.
    it.runIf(backend === 'redis')('another database has queues of its own on the same Redis', async () => {
      await work()
      const databaseUrl = 'postgres://elsewhere/another'
      expect(Object.values(await schedulers({ databaseUrl })).flat()).toEqual([])
    })

    it.runIf(backend === 'redis' && hasRedis)(
      'schedules come back after Redis was restarted without its memory',
      async () => {
        const port = await freePort()
        let forgetful = await startRedis(port)
        try {
          await work({ redisUrl: forgetful.url, renewMs: 200 })
          await forgetful.stop()
          forgetful = await startRedis(port)
          await vi.waitFor(
            async () => expect(await schedulers({ redisUrl: forgetful.url })).toEqual(inPlace),
            {
              timeout: 90_000,
            },
          )
        } finally {
          await Promise.all(running.splice(0).map((workers) => workers.close(5000)))
          await forgetful.stop()
        }
      },
    )
  })
}
