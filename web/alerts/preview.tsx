import type { ComponentChildren } from 'preact'
import type { AlertCondition } from '../../contract/alert-conditions.ts'
import type { AlertTried } from '../../contract/alerts.ts'
import { day } from '../../contract/durations.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { counted, dateTime } from '../format.ts'
import { FigureChart } from './figure-chart.tsx'
import { seenText } from './figure-fields.tsx'
import { triedDays as days, type useTried } from './use-tried.ts'

const mostTimes = 20

interface PreviewProps {
  source: string | null
  condition: AlertCondition
  trial: ReturnType<typeof useTried>
  /** The button that creates the rule, and its outcome: they stand beside the answer, and stay while it is read. */
  children: ComponentChildren
}

/** The messages that a rule would have sent in the recorded past. */
export function Preview({ source, condition, trial: { data, error, isKnown }, children }: PreviewProps) {
  const now = condition.kind === 'statistic' ? data?.now : undefined
  return (
    <section class="card preview" aria-label="Preview">
      <div class="answer">
        <div role="status">
          <h3>
            {!isKnown
              ? 'The rule waits for its GPU'
              : error
                ? 'It cannot be tried'
                : data
                  ? wordsOf(data)
                  : 'Trying it on the past'}
          </h3>
          {!isKnown && <p class="quiet">The market has no such GPU so far.</p>}
          {isKnown && error && <p class="quiet">{error.message}</p>}
          {condition.kind === 'statistic' && now && <p class="quiet now">{seenText(condition, now)}</p>}
          {'by' in condition && condition.clears_at !== null && (
            <p class="quiet">
              It ends when the {condition.is === 'falls' ? 'fall' : 'rise'} is at most {condition.clears_at}{' '}
              %, so that it does not repeat.
            </p>
          )}
        </div>
        {children}
      </div>
      {isKnown && !error && !data && <Skeleton />}
      {isKnown && data && condition.kind === 'statistic' && (
        <FigureChart source={source} condition={condition} tried={data} />
      )}
      {data && data.entries.length > 0 && (
        <details>
          <summary>
            {data.entries.length > mostTimes ? `The last ${mostTimes} messages` : allWords(data.fired)}
          </summary>
          <ul class="said">
            {data.entries.slice(-mostTimes).map(({ slot, what, text }) => (
              <li key={`${slot} ${text}`}>
                <time dateTime={new Date(slot * 1000).toISOString()}>{dateTime(slot)}</time>
                <div>
                  {what === 'fired' ? 'Alert' : 'Resolved'}: {text}
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const allWords = (fired: number): string => (fired === 1 ? 'The alert' : `All ${fired} alerts`)

function wordsOf({ fired, from, to }: AlertTried): string {
  const covered = Math.round((to - from) / day)
  const span =
    covered < 1 ? 'in the few hours that are recorded' : `in ${counted(Math.min(days, covered), 'day')}`
  if (fired === 0) return `It would not have told you anything ${span}`
  return `It would have told you ${fired === 1 ? 'once' : `${fired} times`} ${span}`
}
