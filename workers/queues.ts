import { setTimeout as pause } from 'node:timers/promises'
import {
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type JobsOptions,
  type PgPool,
  Queue,
  runMigrations,
  type Telemetry,
  Worker,
  type WorkerOptions,
} from 'bullmq'
import pg from 'pg'
import { idleTimeoutMillis, type Postgres, survive } from '../platform/stores/postgres.ts'

/** The store of the jobs: Redis, or without its URL a schema of the marketplace's PostgreSQL. */
export interface QueueAddress {
  databaseUrl: string
  redisUrl?: string | undefined
  /** Traces jobs (telemetry.ts); absent without a collector. */
  telemetry?: Telemetry | undefined
}

/** Waits for `work`, but at most the given time. The pause does not keep the process alive. */
export const within = (milliseconds: number, work: Promise<unknown>) =>
  Promise.race([work, pause(milliseconds, undefined, { ref: false })])

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

// A job holds only data that the database also has, and every schedule runs again within a minute. So few retries and a short
// history are enough.
const defaultJobOptions: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { count: 50 },
  removeOnFail: { count: 500 },
}

// Milliseconds between a worker's polls while the store is unreachable. BullMQ's 15 s would add as much to a restart of
// PostgreSQL.
const storeAwayMs = 500

// A store that answers ends a connection at once.
const farewellMs = 500

// Each worker keeps one session, on which PostgreSQL notifies it of jobs.
const mostSessions = 40

// PostgreSQL notifies workers of jobs, so idle workers poll once a minute. BullMQ's default is 5 s.
const askAgainSeconds = 60

/** The sessions of all queues and workers of a process. With a pool for each of them there were three times as many, most of them idle. */
function openSessions(databaseUrl: string): PgPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
    max: mostSessions,
    idleTimeoutMillis,
    keepAlive: true, // Without it a worker polls every 10 s, since it would not notice a lost connection.
  })
  pool.setMaxListeners(0) // each queue and worker listens
  return pool.on('connect', survive) as PgPool
}

/** The store that BullMQ reads jobs from. */
const backendOf = ({ databaseUrl, redisUrl, telemetry }: QueueAddress) => {
  const traced = telemetry && { telemetry }
  return redisUrl
    ? { redis: { prefix: prefixOf(databaseUrl), connection: { url: redisUrl }, ...traced } }
    : { postgres: { connection: openSessions(databaseUrl), ...traced } }
}
type Backend = ReturnType<typeof backendOf>

const newQueue = (name: string, { redis, postgres }: Backend) =>
  redis
    ? new Queue(name, { ...redis, defaultJobOptions })
    : new Queue(name, { ...postgres, defaultJobOptions }, createPostgresBackend)

/** Opens queues and their workers. */
export function openQueues(address: QueueAddress) {
  const backend = backendOf(address)
  const { redis, postgres } = backend
  const queues: JobQueue[] = []
  const connected: Pick<Queue, 'disconnect'>[] = []
  return {
    queue(name: string): JobQueue {
      const queue = newQueue(name, backend)
      queues.push(queue)
      connected.push(queue)
      return queue
    },

    worker(
      name: string,
      processor: (job: { data: unknown }) => Promise<unknown>,
      given: Pick<WorkerOptions, 'concurrency' | 'stalledInterval'>,
    ) {
      const options = { ...given, runRetryDelay: storeAwayMs }
      if (!redis) {
        const asking = { ...postgres, ...options, drainDelay: askAgainSeconds }
        return new Worker(name, processor, asking, createPostgresBackend)
      }
      const connection = { ...redis.connection, maxRetriesPerRequest: null }
      const worker = new Worker(name, processor, { ...redis, connection, ...options })
      connected.push(worker)
      return worker
    },

    /** Closes the queues, and cuts connections to a Redis that does not answer. Workers must be closed before. */
    async close(): Promise<void> {
      await within(farewellMs, Promise.all(queues.map((queue) => queue.close())))
      if (redis) await within(farewellMs, Promise.allSettled(connected.map((one) => one.disconnect())))
      if (postgres) await within(farewellMs, postgres.connection.end())
    },
  }
}

export type JobQueue = ReturnType<typeof newQueue>
export type JobWorker = ReturnType<ReturnType<typeof openQueues>['worker']>

/**
 * Runs a scheduled job now instead of at its next scheduled time. This is a hint only: if the queue is unavailable, the job runs as
 * scheduled.
 */
export async function openWakeUp(postgres: Postgres, name: string, address: QueueAddress) {
  await migrateQueues(postgres, address)
  const queues = openQueues(address)
  const queue = queues.queue(name)
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
    close: queues.close,
  }
}
