import { type Readable, Transform } from 'node:stream'
import type { StatementOutcome } from './audit.ts'
import { sentenceOf } from './errors.ts'

/** The most bytes that ClickHouse appends to an answer that fails half way. */
const longestTail = 32_768

interface Ended {
  outcome: StatementOutcome
  failure?: Error
}

/**
 * Passes an answer on, except for its tail. The tail is held back until it is clear if it contains ClickHouse's message that the
 * query failed (a block between two lines of `__exception__` with a tag of its own). Then the stream fails, or in a format of
 * lines ends with `{"exception": …}`. `ended` has the result; destroying the stream before its end cancels the query.
 */
export function watchTail(
  source: Readable,
  { tag, asLine, signal }: { tag: string; asLine: boolean; signal: AbortSignal },
): { stream: Readable; ended: Promise<Ended> } {
  let held = Buffer.alloc(0)
  let how: Ended = { outcome: 'cancelled' }
  let broken: Error | undefined
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held = Buffer.concat([held, chunk])
      const ready = held.subarray(0, Math.max(held.length - longestTail, asLine ? wholeLines(held) : 0))
      held = held.subarray(ready.length)
      done(null, ready)
    },
    flush(done) {
      const { answer, exception } = splitTail(held, tag)
      if (exception === undefined) {
        how = broken ? { outcome: 'failed', failure: broken } : { outcome: 'done' }
        return broken ? done(broken) : done(null, answer)
      }
      this.push(asLine ? answer.subarray(0, answer.lastIndexOf('\n') + 1) : answer)
      const failure = new Error(sentenceOf(exception))
      how = { outcome: 'failed', failure }
      if (asLine) this.push(`${JSON.stringify({ exception: failure.message })}\n`)
      done(asLine ? null : failure)
    },
  })
  // ClickHouse closes the connection after its message, and the message is then the reason of the failure. An engine that ends closes it, too.
  source.on('error', (error) => {
    if (signal.aborted) return void stream.destroy(error)
    broken = error
    // Writes the received bytes that were not read yet: Node passes no further bytes of a cut-off answer.
    for (let part = source.read(); part !== null; part = source.read()) stream.write(part)
    stream.end()
  })
  const ended = new Promise<Ended>((resolve) => {
    stream.on('close', () => {
      source.destroy()
      resolve(how)
    })
  })
  return { stream: source.pipe(stream), ended }
}

/**
 * Length of the whole lines of JSON that cannot be part of the message. They are passed on as they arrive, otherwise progress
 * would be delayed by a tail. A line of JSON has no line break, so the message at the beginning of a line is unambiguous.
 */
function wholeLines(held: Buffer): number {
  const word = held.indexOf('\n__exception__')
  const end = held.lastIndexOf('}\n', word < 0 ? held.length : word)
  return end < 0 ? 0 : end + '}\n'.length
}

function splitTail(tail: Buffer, tag: string): { answer: Buffer; exception?: string } {
  const start = tag === '' ? -1 : tail.lastIndexOf(`__exception__\r\n${tag}\r\n`)
  if (start < 0) return { answer: tail }
  const lines = tail.subarray(start).toString('utf8').split(/\r?\n/)
  return {
    answer: tail.subarray(0, Math.max(0, start - '\r\n'.length)),
    exception: lines.find((line) => line.startsWith('Code:')) ?? 'failed',
  }
}
