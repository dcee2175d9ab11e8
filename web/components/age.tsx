import { useEffect, useReducer } from 'preact/hooks'
import { hour } from '../../contract/durations.ts'
import { delay, filling, live, newestSlot, simulated } from '../api/freshness.ts'
import { useSources } from '../api/sources.ts'
import { present } from '../clock.ts'
import { clock, dateTime, duration, percentTick } from '../format.ts'
import { source } from '../source.ts'

/** Ages in seconds at which a market is shown as late, and as stopped. */
export const lateAfter = 1200
const oldAfter = hour

/** The finished share of a simulated history, in whole percent, rounded down. */
export const filledPercent = (share: number): string => percentTick(Math.floor(share * 100) / 100)

/** The market on the page, the time of its newest snapshot, and the finished share of a simulated history. */
export function Age() {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    const ticking = setInterval(drawAgain, 15_000)
    return () => clearInterval(ticking)
  }, [])
  const slot = newestSlot.value
  const age = Math.max(0, present() - slot)
  const late = age - delay.value
  const state = late > oldAfter ? 'bad' : late > lateAfter ? 'warn' : ''
  return (
    <div class="age">
      <b>
        <span class={`dot ${slot > 0 ? state : 'warn'}`} />
        <span>{simulated.value ? 'Simulated market' : <MarketName />}</span>
      </b>
      {slot > 0 && (
        <time
          class={state}
          dateTime={`${new Date(slot * 1000).toISOString().slice(0, 16)}Z`}
          // Written on demand, since the first date format takes the browser some 40 ms.
          onPointerEnter={({ currentTarget }) => {
            currentTarget.title = `${dateTime(slot)}${live.value ? ', live' : ''}`
          }}
        >
          <span class="of-day">Snapshot {clock(slot)}, </span>
          {age < 60 ? 'just now' : `${duration(age)} old`}
        </time>
      )}
      {filling.value !== null && (
        <span class="of-day">
          history {filledPercent(filling.value)}
          <progress value={filling.value} max={1} aria-label="History that is there" />
        </span>
      )}
    </div>
  )
}

function MarketName() {
  const { data: sources } = useSources()
  return <>{source ?? sources?.[0]?.name ?? 'Market'}</>
}
