import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { historyAnswer } from '../../../contract/history.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { queryHistory } from './query.ts'
import type { Question } from './question.ts'

const gzip = promisify(gzipCallback)
const maxBytes = 64 * 1024 * 1024

/** One finished answer, ready to be sent any number of times. */
export interface Answer {
  body: Buffer
  gzip: Buffer
  etag: string
  step: number
}

/**
 * Answers by question and revision of the series. Each is queried, validated, serialized and compressed once, for any number of requests.
 */
export function openAnswers(
  clickhouse: ClickHouse,
): (question: Question, revision: number) => Promise<Answer> {
  const cache = new LRUCache<string, Answer, Question>({
    maxSize: maxBytes,
    sizeCalculation: (answer, key) => answer.body.length + answer.gzip.length + key.length,
    fetchMethod: (_key, _stale, { context }) => makeAnswer(clickhouse, context),
  })
  return (question, revision) =>
    cache.forceFetch(`${revision} ${JSON.stringify(question)}`, { context: question })
}

async function makeAnswer(clickhouse: ClickHouse, question: Question): Promise<Answer> {
  const { step, gpus } = await queryHistory(clickhouse, question)
  const answer = historyAnswer.parse({ success: true, needs_machine: false, gpus })
  const body = Buffer.from(JSON.stringify(answer))
  return {
    body,
    gzip: await gzip(body),
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    step,
  }
}
