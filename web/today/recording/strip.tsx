import { day, hour } from '../../../contract/durations.ts'
import type { MarketRecording } from '../../../contract/recording.ts'
import { shareWords } from './headline.ts'
import { moment } from './moments.ts'

type Recorded = NonNullable<MarketRecording['recorded']>
type State = 'whole' | 'part' | 'none' | 'before'

/** Hours of one state after each other. */
interface Run {
  state: State
  from: number
  hours: number
}

/** The hours of the newest seven days by day of the visitor, in runs of one state. */
export function daysOf({ hours: given }: Pick<Recorded, 'hours'>, at: number): Run[][] {
  const states = new Map(given.map((one) => [one.hour, stateOf(one)]))
  const end = Math.floor(at / hour) * hour
  const days: Run[][] = []
  let dayBefore = -1
  for (let from = end - 7 * day; from <= end; from += hour) {
    const state = states.get(from) ?? (from === end ? undefined : 'before')
    // The present hour has no snapshot that is due yet.
    if (!state) continue
    const date = new Date(from * 1000).getDate()
    if (date !== dayBefore) days.push([])
    dayBefore = date
    const runs = days.at(-1)
    const last = runs?.at(-1)
    if (last?.state === state) last.hours += 1
    else runs?.push({ state, from, hours: 1 })
  }
  return days
}

const stateOf = ({ expected, recorded }: Recorded['hours'][number]): State =>
  recorded >= expected ? 'whole' : recorded > 0 ? 'part' : 'none'

const names = {
  whole: 'recorded',
  part: 'recorded in part',
  none: 'missing',
  before: 'before the first snapshot',
}
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** Hours of a day that leave room for its name. */
const namedFrom = 18

/** The recorded hours of seven days as a strip. The gaps stand below it as text. */
export function Strip({ recorded, at, name }: { recorded: Recorded; at: number; name: string }) {
  const days = daysOf(recorded, at)
  const shown = new Set(days.flatMap((runs) => runs.map(({ state }) => state)))
  return (
    <>
      <div
        class="strip"
        role="img"
        aria-label={`${name}: ${shareWords(recorded.recorded, recorded.expected)} of the snapshots since ${moment(recorded.from)} are recorded`}
      >
        {days.map((runs) => {
          const hours = runs.reduce((sum, run) => sum + run.hours, 0)
          const from = runs[0]?.from ?? 0
          return (
            <span key={from} style={{ flexGrow: hours }}>
              <span class="hours">
                {runs.map((run) => (
                  <i
                    key={run.from}
                    class={run.state}
                    style={{ flexGrow: run.hours }}
                    title={`${moment(run.from)}, ${run.hours} h: ${names[run.state]}`}
                  />
                ))}
              </span>
              <small>{hours >= namedFrom && weekdays[new Date(from * 1000).getDay()]}</small>
            </span>
          )
        })}
      </div>
      {shown.size > 1 && (
        <p class="strip-legend">
          {(['whole', 'part', 'none', 'before'] as const).map(
            (state) =>
              shown.has(state) && (
                <span key={state}>
                  <i class={state} />
                  {names[state]}
                </span>
              ),
          )}
        </p>
      )}
    </>
  )
}
