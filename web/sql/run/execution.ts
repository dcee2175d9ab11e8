import { signal } from '@preact/signals'
import { ApiFailure, request } from '../../api/client.ts'
import { type Answer, noAnswer, takeLines } from './answer.ts'
import { linesOf } from './lines.ts'

export interface StatementRequest {
  /** The sent query. */
  query: string
  params: Record<string, unknown>
}

/** A query that was started, and its result so far. */
export interface Execution {
  /** A new one for each query. */
  id: number
  question: StatementRequest
  state: 'running' | 'done' | 'cut' | 'cancelled' | 'failed'
  /** The result so far. It grows in place while the query runs: `rowCount` shows the change. */
  answer: Answer
  rowCount: number
  seconds: number
  failure?: Failure
}

export interface Failure {
  message: string
  /** The position in the sent text, in bytes from 1. */
  position: number | undefined
}

/** Milliseconds between two draws of a running query. */
const periodMs = 100
let lastId = 0

/** Runs one query at a time: a new query cancels the one before. `most`: the most rows that are kept. */
export function createRunner(most?: number) {
  const execution = signal<Execution>()
  let leaving = new AbortController()

  async function run(question: StatementRequest): Promise<Execution> {
    leaving.abort()
    const own = new AbortController()
    leaving = own
    lastId += 1
    const id = lastId
    const answer = noAnswer(most)
    const begun = performance.now()
    let state: Execution['state'] = 'running'
    let failure: Failure | undefined
    const snapshot = (): Execution => ({
      id,
      question,
      state,
      answer,
      rowCount: answer.rows.length,
      seconds: (performance.now() - begun) / 1000,
      ...(failure && { failure }),
    })
    const publish = () => {
      if (leaving === own) execution.value = snapshot()
    }
    publish()
    const timer = setInterval(publish, periodMs)
    try {
      await read(question, answer, own.signal)
      if (answer.exception !== undefined) failure = { message: answer.exception, position: undefined }
      state = failure ? 'failed' : answer.isCut ? 'cut' : 'done'
    } catch (error) {
      if (!own.signal.aborted) failure = failureOf(error)
      state = failure ? 'failed' : 'cancelled'
    } finally {
      own.abort() // ends the rest of an answer that is cut
      clearInterval(timer)
      publish()
    }
    return snapshot()
  }

  return { execution, run, cancel: () => leaving.abort() }
}

async function read({ query, params }: StatementRequest, answer: Answer, signal: AbortSignal): Promise<void> {
  const body = { query, params, format: 'Progress' }
  const response = await request('api/v0/metrics/sql', { method: 'POST', body, signal })
  if (!response.body) return
  for await (const lines of linesOf(response.body)) {
    takeLines(answer, lines)
    if (answer.isCut) return
  }
}

/** The failure of a query: the error of the API, or a connection that ended within the answer. */
const failureOf = (error: unknown): Failure =>
  error instanceof ApiFailure
    ? { message: error.message, position: error.position }
    : { message: 'The connection to the service was lost', position: undefined }
