import type { QueryClient } from '@tanstack/preact-query'
import type { SeriesEvent } from '../../contract/live.ts'
import { request } from './client.ts'
import { delay, filling, live, newestSlot, notices } from './freshness.ts'
import { leftToWait } from './return.ts'

const [firstPauseMs, longestPauseMs] = [1000, 60_000]
// The service sends data every 15 s. A connection without data for this time is dead, even if it was not closed.
const silenceMs = 45_000

/**
 * Subscribes to new snapshots while the page is visible, and refetches the shown data. After a break it reconnects; the first event shows if a
 * snapshot was missed. `signal` ends the subscription.
 */
export function listen(queryClient: QueryClient, signal: AbortSignal): void {
  let connection = new AbortController()
  let revision: number | undefined
  let wake = () => {}

  function take({
    revision: now,
    newest_slot,
    delay: seconds,
    filling: share,
    notices: sentences,
  }: SeriesEvent): void {
    const isMissed = revision === undefined ? newest_slot > newestSlot.value : revision !== now
    live.value = true
    newestSlot.value = newest_slot
    delay.value = seconds
    filling.value = share
    notices.value = sentences
    if (isMissed) queryClient.invalidateQueries({ predicate: changes })
    revision = now
  }
  async function follow(): Promise<void> {
    for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(pause * 2, longestPauseMs)) {
      connection = new AbortController()
      const startedAt = performance.now()
      let askedMs = 0
      if (!document.hidden)
        await readEvents(connection, take).catch((error) => {
          askedMs = leftToWait(error)
        })
      live.value = false
      if (performance.now() - startedAt > longestPauseMs) pause = firstPauseMs
      await new Promise<void>((resolve) => {
        wake = resolve
        if (!document.hidden) setTimeout(resolve, Math.max(askedMs, pause * (0.5 + Math.random())))
      })
    }
  }
  const onVisibility = () => (document.hidden ? connection.abort() : wake())
  document.addEventListener('visibilitychange', onVisibility, { signal })
  addEventListener('online', () => wake(), { signal })
  const end = () => {
    connection.abort()
    wake()
  }
  signal.addEventListener('abort', end, { once: true })
  follow()
}

const ofSnapshots = new Set<unknown>([
  'current',
  'names',
  'history',
  'machines',
  'depth',
  'fill',
  'prices',
  'revenue',
  'availability',
  'places',
  'returns',
  'alerts',
  'sources',
])
/** True for queries whose answer a new snapshot changes: all except ranges that have ended. */
const changes = ({ queryKey: [what, , question] }: { queryKey: readonly unknown[] }): boolean =>
  ofSnapshots.has(what) && !(question instanceof Object && 'end' in question && question.end !== undefined)

/** Reads the service's events. A library that reads any stream of events costs 1.3 kB gzipped on every page. */
async function readEvents(connection: AbortController, take: (event: SeriesEvent) => void): Promise<void> {
  const { body } = await request('api/v0/metrics/live', { signal: connection.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; reader; ) {
    const silence = setTimeout(() => connection.abort(), silenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data) take(JSON.parse(data))
    }
  }
}
