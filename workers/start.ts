import type { Job, JobsOptions } from 'bullmq'
import { toError } from '../contract/failure.ts'
import { sourceLabel } from '../platform/http/prometheus.ts'
import { noteInterval } from '../platform/stores/slot-interval.ts'
import { performRun, type Run, run } from '../src/companion/schedule/execute.ts'
import {
  type JobQueue,
  type JobWorker,
  migrateQueues,
  openQueues,
  type QueueAddress,
  within,
} from './queues.ts'
import { queueNames as allNames, type QueueName, schedules } from './schedule.ts'
import type { WorkContext, WorkerLog } from './work-context.ts'

export interface WorkersOptions extends QueueAddress, Omit<WorkContext, 'stopping' | 'wake' | 'queueRun'> {
  /** Queues to work on. Default: all. */
  queueNames?: readonly QueueName[]
  /** Milliseconds between renewals of the schedules. Default: a minute. */
  renewMs?: number
}

export interface Workers {
  /** Stops taking jobs, waits for running ones up to `deadlineMs`, then closes the queues. */
  close(deadlineMs: number): Promise<void>
}

/**
 * Starts one worker for each queue and keeps the schedules in place. If the queues include `job-runs`, one more worker runs
 * users' jobs. Any number of processes may do so.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { log, queueNames = allNames } = options
  await migrateQueues(options.postgres, options)
  await noteInterval(options.postgres, options.snapshotInterval)
  const stopping = new AbortController()
  const opened = openQueues(options)
  const queues = new Map(queueNames.map((name) => [name, opened.queue(name)]))
  const runs = queueNames.includes('job-runs') ? opened.queue('runs') : undefined
  const context = {
    ...options,
    stopping: stopping.signal,
    wake: async (name: QueueName) => queues.get(name)?.add(name, {}),
    queueRun: async (run: Run) => runs?.add('run', run, runOptions(run)),
  }
  const workers = [
    ...queueNames.map((name) =>
      opened.worker(name, ({ data }) => schedules[name].processor(context, data), scheduled),
    ),
    ...(runs ? [opened.worker('runs', ({ data }) => performRun(context, run.parse(data)), runsAtOnce)] : []),
  ]
  for (const worker of workers) report(worker, context)

  const keeper = keepSchedules(queues, {
    log,
    renewMs: options.renewMs ?? 60_000,
    store: options.redisUrl ? 'Redis' : 'PostgreSQL',
  })
  for (const queue of [...queues.values(), ...(runs ? [runs] : [])]) queue.on('error', keeper.onError)
  for (const worker of workers) worker.on('error', keeper.onError)
  await keeper.renew().catch(keeper.onError)

  return {
    async close(deadlineMs) {
      keeper.stop()
      stopping.abort()
      await within(deadlineMs, Promise.all(workers.map((worker) => worker.close())))
      await opened.close()
    },
  }
}

const runsAtOnce = { concurrency: 4 }

// A job that a dead process left unfinished is repeated by the next one of its schedule, within a minute. So BullMQ looks for
// stalled jobs rarely.
const scheduled = { stalledInterval: 300_000 }

// One job for a run, even if the run is found open several times. It is removed when it ends, so that the next search can queue
// the run again.
const runOptions = ({ jobId, slot }: Run): JobsOptions => ({
  jobId: `${jobId}-${slot}`,
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
})

const storeAwayMs = 1000

/**
 * Renews the schedules every `renewMs`, since a Redis without persistence loses them when it restarts. After an error of the
 * queue store it renews them as soon as the store responds, and every job looks at once for work that came due meanwhile.
 */
function keepSchedules(
  queues: Map<QueueName, JobQueue>,
  { log, renewMs, store }: { log: WorkerLog; renewMs: number; store: string },
) {
  let isAway = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const renew = async () => {
    await putInPlace(queues)
    for (const [name, queue] of queues) await queue.add(name, {})
  }
  const next = () => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(turn, isAway ? storeAwayMs : renewMs)
  }
  const turn = async () => {
    try {
      await (isAway ? renew() : putInPlace(queues))
      if (isAway) log.info({}, 'the queue store is back')
      isAway = false
    } catch (error) {
      onError(toError(error))
    }
    next()
  }
  // An unreachable store causes an error for every connection and every attempt. Only the first one is logged.
  const onError = (error: Error) => {
    if (isStopped || isAway) return
    isAway = true
    // Only the message is logged: an error of Redis has a property with the command, which may contain the password.
    log.error({ err: new Error(error.message) }, `the queue store, ${store}, gave an error`)
    next()
  }
  next()
  return {
    renew,
    onError,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Makes the queues' schedulers equal to the table: missing ones are added, others removed. */
async function putInPlace(queues: Map<QueueName, JobQueue>): Promise<void> {
  for (const [name, queue] of queues) {
    for (const { key } of await queue.getJobSchedulers())
      if (key !== name) await queue.removeJobScheduler(key)
    const { pattern } = schedules[name]
    await queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name }).catch(unlessAtWork)
  }
}

// BullMQ's error code when the scheduler's own job of this moment is being processed. The scheduler is in place then.
const iterationAtWork = -10
const unlessAtWork = (error: { code?: number }) => {
  if (error.code !== iterationAtWork) throw error
}

function report(worker: JobWorker, { log, metrics, market, stopping }: WorkContext): void {
  const queue = worker.name
  const labels = { queue, ...sourceLabel(market) }
  worker.on('failed', (job, error) => {
    // The job ended because the process stops. BullMQ gives it to another worker.
    if (stopping.aborted) return
    log.error({ err: error, queue, job: job?.id }, 'job failed')
    metrics?.jobSeconds.observe({ ...labels, outcome: 'failed' }, job ? secondsOf(job) : 0)
  })
  worker.on('completed', (job) => {
    if (job.returnvalue) log.info({ queue, job: job.id, result: job.returnvalue }, 'job done')
    metrics?.jobSeconds.observe({ ...labels, outcome: 'done' }, secondsOf(job))
  })
}

const secondsOf = ({ processedOn = 0, finishedOn = processedOn }: Pick<Job, 'processedOn' | 'finishedOn'>) =>
  (finishedOn - processedOn) / 1000
