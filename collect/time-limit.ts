import { SourceError } from './source-error.ts'

/**
 * Runs `work` with a signal that ends it after `seconds`, or when `signal` does. Throws SourceError when its time is over, otherwise the error of
 * `work`.
 */
export async function withinSeconds<T>(
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(seconds * 1000)
  try {
    return await work(AbortSignal.any([timeout, signal]))
  } catch (cause) {
    if (!timeout.aborted || signal.aborted) throw cause
    throw new SourceError(`There was no complete answer within ${seconds} seconds.`, { cause })
  }
}
