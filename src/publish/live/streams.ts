import { PassThrough } from 'node:stream'
import { ApiError } from '../../../platform/errors.ts'

/** The most open streams of one account, per process. */
const mostPerAccount = 20
/** Unread bytes of a client above which its stream is closed. */
const mostUnread = 16_384

/** Open streams of events. */
export function openStreams() {
  const streams = new Map<PassThrough, number>()

  return {
    count: () => streams.size,
    /** A new stream of an account. Throws 429 when it has too many. */
    open(accountId: number, seconds: number): PassThrough {
      const own = [...streams.values()].filter((id) => id === accountId)
      if (own.length >= mostPerAccount)
        throw new ApiError(
          429,
          'too_many_requests',
          `At most ${mostPerAccount} streams of an account at a time`,
          {
            retryAfter: 60,
          },
        )
      const stream = new PassThrough()
      streams.set(stream, accountId)
      const ending = setTimeout(() => stream.end(), seconds * 1000)
      stream.once('close', () => {
        clearTimeout(ending)
        streams.delete(stream)
      })
      return stream
    },
    send(text: string): void {
      for (const stream of streams.keys())
        if (stream.writableLength > mostUnread) stream.destroy()
        else if (!stream.writableEnded) stream.write(text)
    },
    endAll(): void {
      for (const stream of streams.keys()) stream.end()
    },
  }
}
