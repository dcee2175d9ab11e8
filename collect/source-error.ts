/** Removes control characters from text of a third party, for messages. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '?').slice(0, 500)

/** The reason why a request gave no market. The message is a sentence about the source, for people. */
export class SourceError extends Error {
  /** The earliest time of the next request that the source accepts, unix seconds. */
  readonly retryAt: number | undefined
  /** The HTTP status of the answer; undefined: the problem is another one. */
  readonly status: number | undefined

  constructor(
    message: string,
    { retryAt, status, cause }: { retryAt?: number | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(printable(message), { cause })
    this.retryAt = retryAt
    this.status = status
  }
}
