import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { filling, live, newestSlot, simulated } from '../api/freshness.ts'
import { present } from '../clock.ts'
import { clock, dateTime, duration, percentTick } from '../format.ts'

/** A market with a snapshot every few minutes should not be older than this. */
const oldAfter = 3600

/** When the figures on the page were taken, and whether their market is a simulated one. */
export function Age() {
  const now = useSignal(present())
  useEffect(() => {
    const ticking = setInterval(() => {
      now.value = present()
    }, 15_000)
    return () => clearInterval(ticking)
  }, [now])
  const slot = newestSlot.value
  const age = Math.max(0, now.value - slot)
  return (
    <span class="age">
      {simulated.value && (
        <span class="simulated" title="These machines and prices are generated so that you can try rackrate.">
          Simulated market
        </span>
      )}
      {filling.value !== null && (
        <span class="quiet" title="The charts reach further back as it fills.">
          history {percentTick(Math.floor(filling.value * 100) / 100)}
        </span>
      )}
      {slot > 0 && (
        <time
          class={age > oldAfter ? 'trouble' : 'quiet'}
          dateTime={new Date(slot * 1000).toISOString()}
          // Not before it is wanted: the first date to be written takes the browser some 40 ms.
          onPointerEnter={({ currentTarget }) => {
            currentTarget.title = `${dateTime(slot)}${live.value ? ', live' : ''}`
          }}
        >
          {age > oldAfter ? `${duration(age)} old` : `updated ${clock(slot)}`}
        </time>
      )}
    </span>
  )
}
