import type { Job } from 'bullmq'
import { day } from '../contract/durations.ts'
import type { QueueState } from '../contract/recording.ts'
import type { JobQueue } from './queues.ts'

/** Failed jobs of a queue that are read. */
const mostFailed = 100
const longestReason = 500

export interface QueueOfMarket {
  queue: JobQueue
  /** The name of its source; null: the first market. */
  market: string | null
}

/** The jobs of queues, with the failures of the last day. `now`: unix seconds. */
export const readQueueStates = (queues: readonly QueueOfMarket[], now: number): Promise<QueueState[]> =>
  Promise.all(queues.map((one) => stateOf(one, now)))

async function stateOf({ queue, market }: QueueOfMarket, now: number): Promise<QueueState> {
  const [{ active = 0, waiting = 0, prioritized = 0 }, failed, done] = await Promise.all([
    queue.getJobCounts('active', 'waiting', 'prioritized'),
    queue.getFailed(0, mostFailed - 1),
    queue.getCompleted(0, 0),
  ])
  const recent = failed.filter((job) => (endOf(job) ?? 0) > now - day)
  const newest = recent.reduce<Job | undefined>(
    (last, job) => ((endOf(last) ?? 0) >= (endOf(job) ?? 0) ? last : job),
    undefined,
  )
  return {
    name: queue.name,
    market,
    active,
    waiting: waiting + prioritized,
    failed: recent.length,
    failed_at: endOf(newest),
    reason: newest?.failedReason?.slice(0, longestReason) ?? null,
    done_at: endOf(done[0]),
  }
}

const endOf = (job: Pick<Job, 'finishedOn'> | undefined): number | null =>
  job?.finishedOn === undefined ? null : job.finishedOn / 1000
