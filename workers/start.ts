import { setTimeout as pause } from 'node:timers/promises'
import type { Job, JobsOptions } from 'bullmq'
import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import type { Metrics } from '../platform/http/prometheus.ts'
import type { Vault } from '../platform/security/vault.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { advanceMarket } from '../simulate/live.ts'
import type { Carrier } from '../src/companion/outbox/carriers.ts'
import { deliver } from '../src/companion/outbox/deliver.ts'
import { type CallApi, dueRuns, performRun, type Run, run } from '../src/companion/schedule/execute.ts'
import { forget } from './purge.ts'
import {
  type JobQueue,
  type JobWorker,
  migrateQueues,
  openQueue,
  openWorker,
  type QueueAddress,
} from './queues.ts'
import { type QueueName, queueNames, schedules } from './schedule.ts'

export interface WorkerLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export interface WorkersOptions extends QueueAddress {
  postgres: Postgres
  clickhouse: ClickHouse
  vault: Vault
  carriers: Record<'email' | 'sms', Carrier>
  /** How users' scheduled jobs call the API. */
  callApi: CallApi
  /** Seconds between slots. */
  snapshotInterval: number
  /** Days that a snapshot stays in the spool after it was loaded. */
  spoolRetention: number
  log: WorkerLog
  metrics?: Metrics | undefined
  /** How often the schedules are put in place again; every minute unless given. */
  renewMs?: number
}

export interface Workers {
  /** Stops taking jobs, waits for those at work up to `deadlineMs`, then lets go of the queues. */
  close(deadlineMs: number): Promise<void>
}

/** Starts one worker for each queue, and one for the runs of users' jobs, and keeps the schedules in place. Any number of processes may run them. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { postgres, clickhouse, vault, carriers, callApi, snapshotInterval, spoolRetention, log, metrics } =
    options
  await migrateQueues(postgres, options)
  const stopping = new AbortController()
  const queues = new Map(queueNames.map((name) => [name, openQueue(name, options)]))
  const runs = openQueue('runs', options)

  const processors: Record<QueueName, () => Promise<unknown>> = {
    capture: async () => {
      const snapshot = await capture(postgres, await currentSlot(postgres, snapshotInterval))
      if (snapshot) metrics?.capturedObservations.set(snapshot.observations)
      if (snapshot) await queues.get('load')?.add('load', {})
      return snapshot
    },
    load: async () => {
      const slots = await loadAll(postgres, clickhouse, stopping.signal)
      metrics?.loadedSlots.inc(slots)
      return slots
    },
    advance: () => advanceMarket(postgres, { interval: snapshotInterval }),
    deliver: () => deliver(postgres, vault, carriers, stopping.signal),
    jobs: async () => {
      const due = await dueRuns(postgres)
      for (const one of due) await runs.add('run', one, runOptions(one))
      return due.length
    },
    forget: () => forget(postgres, clickhouse, spoolRetention),
  }
  const workers: JobWorker[] = [
    ...queueNames.map((name) => openWorker(name, processors[name], options)),
    openWorker(
      'runs',
      ({ data }) => performRun(postgres, vault, callApi, run.parse(data)),
      options,
      runsAtOnce,
    ),
  ]

  // Connections that are cut while everything closes are nobody's concern.
  const onError = (error: Error) => stopping.signal.aborted || log.error({ err: error }, 'queue error')
  const allQueues = [...queues.values(), runs]
  for (const queue of allQueues) queue.on('error', onError)
  for (const worker of workers) worker.on('error', onError)
  for (const worker of workers) report(worker, log, metrics)

  await keepSchedules(queues)
  // A queue store that lost its memory (a Redis without persistence, restarted) gets its schedules back.
  const keeping = setInterval(() => {
    keepSchedules(queues).catch((error) => log.error({ err: error }, 'schedules could not be renewed'))
  }, options.renewMs ?? 60_000)
  // What came due while nobody worked is done now, not at the next turn of the clock.
  for (const [name, queue] of queues) await queue.add(name, {})

  return {
    async close(deadlineMs) {
      clearInterval(keeping)
      stopping.abort()
      await within(deadlineMs, Promise.all(workers.map((worker) => worker.close())))
      await within(deadlineMs, Promise.all(workers.map((worker) => worker.close(true))))
      await within(deadlineMs, Promise.all(allQueues.map((queue) => queue.close())))
    },
  }
}

const runsAtOnce = 4

// One job for a run however often it is found open. It leaves no trace, so that the next look at open runs can try again.
const runOptions = ({ jobId, slot }: Run): JobsOptions => ({
  jobId: `${jobId}-${slot}`,
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
})

/** Makes the queues' schedulers those of the table, and no others. */
async function keepSchedules(queues: Map<QueueName, JobQueue>): Promise<void> {
  for (const [name, queue] of queues) {
    for (const { key } of await queue.getJobSchedulers())
      if (key !== name) await queue.removeJobScheduler(key)
    await queue
      .upsertJobScheduler(name, { pattern: schedules[name], tz: 'UTC' }, { name })
      .catch(unlessAtWork)
  }
}

// BullMQ's code for: the scheduler's own job of this moment is being worked on. Then it's in place, and looked at again in a minute.
const iterationAtWork = -10
const unlessAtWork = (error: { code?: number }) => {
  if (error.code !== iterationAtWork) throw error
}

function report(worker: JobWorker, log: WorkerLog, metrics: Metrics | undefined): void {
  const queue = worker.name
  worker.on('failed', (job, error) => {
    log.error({ err: error, queue, job: job?.id }, 'job failed')
    metrics?.jobSeconds.observe({ queue, outcome: 'failed' }, job ? secondsOf(job) : 0)
  })
  worker.on('completed', (job) => {
    if (job.returnvalue) log.info({ queue, job: job.id, result: job.returnvalue }, 'job done')
    metrics?.jobSeconds.observe({ queue, outcome: 'done' }, secondsOf(job))
  })
}

const secondsOf = ({ processedOn = 0, finishedOn = processedOn }: Pick<Job, 'processedOn' | 'finishedOn'>) =>
  (finishedOn - processedOn) / 1000

// The pause doesn't keep the process alive, so a closed worker isn't waited for twice.
const within = (milliseconds: number, work: Promise<unknown>) =>
  Promise.race([work, pause(milliseconds, undefined, { ref: false })])
