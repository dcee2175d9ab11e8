import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ApiFailure } from '../api/client.ts'
import type { History } from '../api/history.ts'
import { duration, moment, sentence, type Zone } from '../format.ts'
import { SimulatedNote } from './simulated-note.tsx'

interface StatusProps {
  history: History | undefined
  zone: Zone
  error: ApiFailure | null
  retry: () => void
}

/** How old the data are, whether they are simulated, and why they could not be refreshed. */
export function Status({ history, zone, error, retry }: StatusProps) {
  return (
    <>
      {history?.simulated && <SimulatedNote />}
      {error && (
        <p class="banner trouble" role="alert">
          <strong>{sentence(error.message)}</strong> {history && 'Showing earlier data.'}{' '}
          <button type="button" class="plain" onClick={retry}>
            Try again
          </button>
        </p>
      )}
      {history && history.newestSlot > 0 && <Age newestSlot={history.newestSlot} zone={zone} />}
    </>
  )
}

/** A market with a snapshot every few minutes should not be older than this. */
const oldAfter = 3600

function Age({ newestSlot, zone }: { newestSlot: number; zone: Zone }) {
  const now = useSignal(Date.now() / 1000)
  useEffect(() => {
    const ticking = setInterval(() => {
      now.value = Date.now() / 1000
    }, 15_000)
    return () => clearInterval(ticking)
  }, [now])
  const age = Math.max(0, now.value - newestSlot)
  return (
    <p class={age > oldAfter ? 'age trouble' : 'age quiet'}>
      Newest snapshot{' '}
      <time dateTime={new Date(newestSlot * 1000).toISOString()}>{moment(newestSlot, zone)}</time>,{' '}
      {duration(age)} old
    </p>
  )
}
