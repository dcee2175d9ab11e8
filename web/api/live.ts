import type { QueryClient } from '@tanstack/preact-query'
import type { SeriesEvent } from '../../contract/live.ts'
import { ask } from './client.ts'
import { filling, live, newestSlot } from './freshness.ts'

const [firstPauseMs, longestPauseMs] = [1000, 60_000]

/**
 * Hears of new snapshots while the page is looked at, and has what it shows asked for again. After a break it connects again; the first
 * event says whether something was missed. Returns what ends it.
 */
export function listen(queryClient: QueryClient): () => void {
  const ending = new AbortController()
  let connection = new AbortController()
  let revision: number | undefined
  let wake = () => {}

  function take({ revision: now, newest_slot, filling: share }: SeriesEvent): void {
    live.value = true
    newestSlot.value = newest_slot
    filling.value = share
    if (revision !== undefined && revision !== now) queryClient.invalidateQueries({ predicate: changes })
    revision = now
  }
  async function follow(): Promise<void> {
    for (let pause = firstPauseMs; !ending.signal.aborted; pause = Math.min(pause * 2, longestPauseMs)) {
      connection = new AbortController()
      const startedAt = Date.now()
      if (!document.hidden) await readEvents(connection.signal, take).catch(() => {})
      live.value = false
      if (Date.now() - startedAt > longestPauseMs) pause = firstPauseMs
      await new Promise<void>((resolve) => {
        wake = resolve
        if (!document.hidden) setTimeout(resolve, pause * (0.5 + Math.random()))
      })
    }
  }
  const onVisibility = () => (document.hidden ? connection.abort() : wake())
  const { signal } = ending
  document.addEventListener('visibilitychange', onVisibility, { signal })
  addEventListener('online', () => wake(), { signal })
  follow()
  return () => {
    ending.abort()
    connection.abort()
    wake()
  }
}

/** What a new snapshot changes: not who the visitor is, and not what has ended. */
const changes = ({ queryKey: [endpoint, , question] }: { queryKey: readonly unknown[] }): boolean =>
  endpoint !== 'user' && (question as { end?: number } | undefined)?.end === undefined

async function readEvents(signal: AbortSignal, take: (event: SeriesEvent) => void): Promise<void> {
  const { body } = await ask('api/v0/metrics/live', { signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; reader; ) {
    const { done, value } = await reader.read()
    if (done) return
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data) take(JSON.parse(data))
    }
  }
}
