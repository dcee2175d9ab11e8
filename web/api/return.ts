import type { Query, QueryClient } from '@tanstack/preact-query'
import { ApiFailure } from './client.ts'

const [firstPauseMs, longestPauseMs] = [1000, 60_000]
/** The longest wait that the page keeps to if the service asks for it. */
const longestWaitMs = 300_000

/** Failures that time may fix: out of reach, overloaded, a database that restarts. */
export const passes = (error: unknown) =>
  error instanceof ApiFailure && [0, 429, 502, 503, 504].includes(error.status)

/** Milliseconds until a question may be repeated, as the service asked. */
export const leftToWait = (error: unknown): number =>
  error instanceof ApiFailure
    ? Math.max(0, error.failedAt + Math.min(error.wait * 1000, longestWaitMs) - performance.now())
    : 0

/** Growing pauses with a random part, so that the pages of many visitors do not return at once. */
export async function* pauses(signal?: AbortSignal): AsyncGenerator<void> {
  for (let pause = firstPauseMs; !signal?.aborted; pause = Math.min(pause * 2, longestPauseMs)) {
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
    if (!document.hidden) yield
  }
}

/** Repeats the failed queries of the page until the service is back. */
export function askUntilBack(client: QueryClient): void {
  const cache = client.getQueryCache()
  const isAway = ({ state }: Query) => state.status === 'error' && passes(state.error)
  const away = { type: 'active', predicate: isAway } as const
  const mayAsk = (query: Query) => isAway(query) && leftToWait(query.state.error) === 0
  let isAsking = false
  cache.subscribe(async ({ type }) => {
    if (type !== 'updated' || isAsking || cache.findAll(away).length === 0) return
    isAsking = true
    for await (const _pause of pauses()) {
      await client.refetchQueries({ ...away, predicate: mayAsk })
      if (cache.findAll(away).length === 0) break
    }
    isAsking = false
  })
}
