/** What a stranger sent may be in a message. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '?').slice(0, 500)

/** Why a request gave no market. The message says it in a sentence about the source, for people. */
export class SourceError extends Error {
  /** When the source wants to be asked again at the earliest, unix seconds. */
  readonly retryAt: number | undefined

  constructor(message: string, { retryAt, cause }: { retryAt?: number | undefined; cause?: unknown } = {}) {
    super(printable(message), { cause })
    this.retryAt = retryAt
  }
}
