import { createPostgresBackend, type JobsOptions, Queue, runMigrations, Worker } from 'bullmq'
import { BullMQOtel } from 'bullmq-otel'
import { type Postgres, survive } from '../platform/stores/postgres.ts'

/** Where jobs wait: a Redis, or a schema of its own in the marketplace's Postgres. */
export interface QueueAddress {
  databaseUrl: string
  redisUrl?: string | undefined
}

/** Prepares the Postgres backend; any number of processes may call it. Nothing to do on Redis. */
export async function migrateQueues(postgres: Postgres, address: QueueAddress): Promise<void> {
  if (address.redisUrl) return
  const client = await postgres.connect()
  try {
    await runMigrations(client)
  } finally {
    client.release()
  }
}

/**
 * What our keys on a Redis begin with: the database's name, so that several rackrates may share one. The braces keep them on one node of a
 * Redis Cluster, which the queues' scripts need.
 */
export const prefixOf = (databaseUrl: string) => `rackrate{${new URL(databaseUrl).pathname.slice(1)}}`

// Jobs carry nothing that isn't in the database, and every schedule comes round again within a minute: few retries, short memory.
const jobOptions: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { count: 50 },
  removeOnFail: { count: 500 },
}

// Who adds a job and who works on it are one trace; without a collector it does nothing.
const telemetry = new BullMQOtel({ tracerName: 'rackrate' })

// While the store is away a worker asks for jobs this often. BullMQ's 15 s would let a restart of PostgreSQL cost as much.
const retryMs = 500

/** BullMQ listens to its connections only while they are idle, and a lost one would end the process. */
const connectionTo = (databaseUrl: string) => ({ connectionString: databaseUrl, onConnect: survive })

export function openQueue(name: string, { databaseUrl, redisUrl }: QueueAddress) {
  const options = { defaultJobOptions: jobOptions, telemetry }
  return redisUrl
    ? new Queue(name, { ...options, prefix: prefixOf(databaseUrl), connection: { url: redisUrl } })
    : new Queue(name, { ...options, connection: connectionTo(databaseUrl) }, createPostgresBackend)
}

export function openWorker(
  name: string,
  processor: (job: { data: unknown }) => Promise<unknown>,
  { databaseUrl, redisUrl }: QueueAddress,
  concurrency = 1,
) {
  const options = { concurrency, telemetry, runRetryDelay: retryMs }
  return redisUrl
    ? new Worker(name, processor, {
        ...options,
        prefix: prefixOf(databaseUrl),
        connection: { url: redisUrl, maxRetriesPerRequest: null },
      })
    : new Worker(
        name,
        processor,
        { ...options, connection: connectionTo(databaseUrl) },
        createPostgresBackend,
      )
}

/**
 * A way to have a scheduled job done now instead of at its next turn. It's no more than a hint: when the queue is away, the schedule
 * does it later.
 */
export async function openWakeUp(postgres: Postgres, name: string, address: QueueAddress) {
  await migrateQueues(postgres, address)
  const queue = openQueue(name, address)
  queue.on('error', () => {})
  let asked = false
  return {
    wake() {
      if (asked) return
      asked = true
      queue
        .add(name, {})
        .catch(() => {})
        .finally(() => {
          asked = false
        })
    },
    close: () => queue.close(),
  }
}

export type JobQueue = ReturnType<typeof openQueue>
export type JobWorker = ReturnType<typeof openWorker>
