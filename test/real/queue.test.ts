import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Letter } from '../../src/companion/outbox/carriers.ts'
import { writeMessage } from '../../src/companion/outbox/write.ts'
import { createJob } from '../../src/companion/schedule/jobs.ts'
import type { JobFields } from '../../src/companion/schedule/schema.ts'
import type { Caller } from '../../src/platform/auth.ts'
import { allPermissions } from '../../src/platform/permissions.ts'
import { transaction } from '../../src/platform/postgres.ts'
import { migrateQueues, openQueue } from '../../workers/queues.ts'
import { startWorkers, type Workers } from '../../workers/run.ts'
import { queueNames } from '../../workers/schedule.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { freePort, hasRedis, startRedis } from '../debian.ts'
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
describe.each(['postgres', ...(hasRedis ? ['redis'] : [])])('the schedules on %s', (backend) => {
  let databases: TestDatabases
  let redis: ChildProcess | undefined
  let redisPort = 0
  const running: Workers[] = []

  beforeAll(async () => {
    databases = await freshDatabases()
    await smallMarket(databases.postgres, 30)
    redisPort = await freePort()
    redis = backend === 'redis' ? await startRedis(redisPort) : undefined
    await migrateQueues(databases.postgres, address())
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((workers) => workers.close(5000)))
  })
  afterAll(async () => {
    redis?.kill('SIGKILL')
    await databases?.close()
  })

  const address = () => ({
    databaseUrl: databases.postgresUrl,
    redisUrl: backend === 'redis' ? `redis://127.0.0.1:${redisPort}` : undefined,
  })
  const letters: Letter[] = []
  const calls: string[] = []
  const carry = async (letter: Letter) => {
    letters.push(letter)
  }
  const work = async (renewMs?: number) => {
    running.push(
      await startWorkers({
        ...databases,
        ...address(),
        snapshotInterval: 300,
        spoolRetention: 2,
        carriers: { email: carry, sms: carry },
        callApi: async ({ url }) => {
          calls.push(url)
          return { status: 200, body: '' }
        },
        log,
        ...(renewMs && { renewMs }),
      }),
    )
  }
  const loaded = async () =>
    (
      await databases.postgres.query<{ slot: number }>(
        'SELECT slot FROM snapshots WHERE loaded_at IS NOT NULL',
      )
    ).rows
  const schedulers = async () => {
    const found: Record<string, string[]> = {}
    for (const name of queueNames) {
      const queue = openQueue(name, address())
      queue.on('error', () => {})
      found[name] = (await queue.getJobSchedulers()).map(({ key }) => key)
      await queue.close()
    }
    return found
  }
  const inPlace = Object.fromEntries(queueNames.map((name) => [name, [name]]))

  it('two workers that boot at once take the present slot once and load it', async () => {
    await Promise.all([work(), work()])
    await vi.waitFor(async () => expect((await loaded()).length).toBeGreaterThan(0), { timeout: 20_000 })
    const { rows } = await databases.postgres.query('SELECT slot FROM snapshots')
    expect(rows).toEqual(await loaded())
    expect(await schedulers()).toEqual(inPlace)
  })

  it('mail that waits is sent and a scheduled job that is due runs, each once, whatever many workers there are', async () => {
    const { postgres, vault } = databases
    await transaction(postgres, (client) =>
      writeMessage(client, vault, {
        channel: 'email',
        recipient: 'a@example.com',
        subject: 'Hello',
        text: 'there',
        usefulFor: 600,
      }),
    )
    await transaction(postgres, (client) => createJob(client, vault, renter, job))
    await postgres.query(
      `UPDATE scheduled_jobs SET next_run_at = date_trunc('hour', now()), start_time = now() - interval '1 day'`,
    )
    await Promise.all([work(), work(), work()])
    await vi.waitFor(
      async () => {
        const { rows } = await postgres.query('SELECT outcome FROM scheduled_job_runs')
        expect([letters.length, rows]).toEqual([1, [{ outcome: 'ok' }]])
      },
      { timeout: 20_000 },
    )
    expect(letters).toMatchObject([{ recipient: 'a@example.com', subject: 'Hello', text: 'there' }])
    expect(calls).toEqual(['/api/v0/ssh'])
    await postgres.query('DELETE FROM scheduled_jobs')
  })

  it('a schedule that is no longer in the table goes when a worker boots', async () => {
    const queue = openQueue('load', address())
    await queue.upsertJobScheduler(
      'of-yesterday',
      { pattern: '0 0 * * *', tz: 'UTC' },
      { name: 'of-yesterday' },
    )
    await queue.close()
    await work()
    expect(await schedulers()).toEqual(inPlace)
  })

  const itOnRedis = backend === 'redis' ? it : () => {} // PostgreSQL does not forget
  itOnRedis('schedules come back after Redis was restarted without its memory', async () => {
    await work(200)
    redis?.kill('SIGKILL')
    await new Promise((resolve) => redis?.once('close', resolve))
    redis = await startRedis(redisPort)
    await vi.waitFor(async () => expect(await schedulers()).toEqual(inPlace), { timeout: 30_000 })
  })
})
