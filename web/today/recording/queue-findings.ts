import type { QueueState, RecordingAnswer } from '../../../contract/recording.ts'
import { capitalized, counted, sentence } from '../../format.ts'
import { moment } from './moments.ts'

/** A state of the recording, with the step that mends it. */
export interface Finding {
  /** `bad` and `warn` need the admin. `''`: a state that is neither good nor bad. */
  tone: 'bad' | 'warn' | 'good' | ''
  title: string
  why: string
  /** A command for a terminal. */
  command?: string
  isOfQueues?: true
}

/** Without a job for this long, no worker runs. */
const silence = 300

/** The states of the queues and of the workers. */
export function findingsOfQueues(
  queues: readonly QueueState[] | null,
  store: RecordingAnswer['queue_store'],
  at: number,
): Finding[] {
  if (store === null) return []
  if (queues === null)
    return [
      {
        tone: 'bad',
        title: `${store} does not answer for the queues`,
        why: 'Workers wait until it is back. It may have lost its data without harm.',
      },
    ]
  const markets = [...new Set(queues.map(({ market }) => market))]
  return markets.flatMap((market) =>
    findingsOfOne(
      queues.filter((queue) => queue.market === market),
      { of: market === null ? '' : ` of ${market}`, at },
    ),
  )
}

/** The findings of one market's queues. `of`: words that name it. */
function findingsOfOne(queues: readonly QueueState[], { of, at }: { of: string; at: number }): Finding[] {
  const sum = (part: 'active' | 'waiting' | 'failed') => queues.reduce((all, one) => all + one[part], 0)
  const newest = Math.max(...queues.map(({ done_at, failed_at }) => Math.max(done_at ?? 0, failed_at ?? 0)))
  const failing = queues.filter(({ failed_at, done_at }) => failed_at !== null && failed_at > (done_at ?? 0))
  const jobs = `${sum('active')} running, ${sum('waiting')} waiting, ${sum('failed')} failed in the last day.`
  return [
    ...failing.map(
      ({ name, failed, failed_at, reason }): Finding => ({
        tone: 'bad',
        title: `Jobs of the queue ${name}${of} fail`,
        why: `${counted(failed, 'job')} in the last day, the newest on ${moment(failed_at ?? at)}. ${reason ? sentence(capitalized(reason)) : ''}`,
        isOfQueues: true,
      }),
    ),
    at - newest > silence
      ? {
          tone: 'bad',
          title: `No worker${of} runs`,
          why:
            newest === 0
              ? `No job was done yet. ${jobs}`
              : `The newest job was done on ${moment(newest)}. ${jobs}`,
          command: 'rackrate worker',
        }
      : { tone: 'good', title: `The workers${of} run`, why: jobs, isOfQueues: true },
  ]
}
