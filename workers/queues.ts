import { createPostgresBackend, type JobsOptions, Queue, runMigrations, Worker } from 'bullmq'
import type { Postgres } from '../src/platform/postgres.ts'

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

// Jobs carry nothing that isn't in the database, and every schedule comes round again within a minute: few retries, short memory.
const jobOptions: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { count: 50 },
  removeOnFail: { count: 500 },
}

export function openQueue(name: string, { databaseUrl, redisUrl }: QueueAddress) {
  const options = { defaultJobOptions: jobOptions }
  return redisUrl
    ? new Queue(name, { ...options, connection: { url: redisUrl } })
    : new Queue(name, { ...options, connection: databaseUrl }, createPostgresBackend)
}

export function openWorker(
  name: string,
  processor: () => Promise<unknown>,
  { databaseUrl, redisUrl }: QueueAddress,
) {
  return redisUrl
    ? new Worker(name, processor, { connection: { url: redisUrl, maxRetriesPerRequest: null } })
    : new Worker(name, processor, { connection: databaseUrl }, createPostgresBackend)
}

export type JobQueue = ReturnType<typeof openQueue>
export type JobWorker = ReturnType<typeof openWorker>
