import { createPostgresBackend, type JobsOptions, Queue, runMigrations, type Telemetry, Worker } from 'bullmq'
import { idleTimeoutMillis, type Postgres, survive } from '../platform/stores/postgres.ts'

/** Where jobs wait: in Redis, else in a schema of their own in the marketplace's PostgreSQL. */
export interface QueueAddress {
  databaseUrl: string
  redisUrl?: string | undefined
  /** Traces jobs (telemetry.ts); absent without a collector. */
  telemetry?: Telemetry | undefined
}

/** Creates the tables of the PostgreSQL backend; safe to call from any number of processes. Redis needs none. */
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
 * Redis keys are prefixed with the database name, so several installations can share one Redis. The braces are a hash tag: they keep all
 * keys on one node of a Redis Cluster, which BullMQ's scripts require.
 */
export const prefixOf = (databaseUrl: string) => `rackrate{${new URL(databaseUrl).pathname.slice(1)}}`

// A job holds nothing that is not in the database, and every schedule runs again within a minute: few retries and a short history are enough.
const jobOptions: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { count: 50 },
  removeOnFail: { count: 500 },
}

// While the store is away a worker asks for jobs this often. BullMQ's 15 s would let a restart of PostgreSQL cost as much.
const retryMs = 500

/** BullMQ listens to its connections only while they are idle, and a lost one would end the process. */
const connectionTo = (databaseUrl: string) => ({
  connectionString: databaseUrl,
  idleTimeoutMillis,
  onConnect: survive,
})

export function openQueue(name: string, { databaseUrl, redisUrl, telemetry }: QueueAddress) {
  const options = { defaultJobOptions: jobOptions, ...(telemetry && { telemetry }) }
  return redisUrl
    ? new Queue(name, { ...options, prefix: prefixOf(databaseUrl), connection: { url: redisUrl } })
    : new Queue(name, { ...options, connection: connectionTo(databaseUrl) }, createPostgresBackend)
}

export function openWorker(
  name: string,
  processor: (job: { data: unknown }) => Promise<unknown>,
  { databaseUrl, redisUrl, telemetry }: QueueAddress,
  concurrency = 1,
) {
  const options = { concurrency, runRetryDelay: retryMs, ...(telemetry && { telemetry }) }
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
 * Runs a scheduled job now instead of at its next scheduled time. This is a hint only: if the queue is unavailable, the job runs as
 * scheduled.
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
