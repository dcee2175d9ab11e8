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
}

/** The messages that a rule would have sent in the recorded past. */
export function Preview({ source, condition, trial: { data, error, isKnown } }: PreviewProps) {
  if (!isKnown) return <p class="quiet">The market has no such GPU so far. The rule waits for it.</p>
  if (error) return <p class="quiet">{error.message}</p>
  if (!data) return <Skeleton />
  const { now } = data
  return (
    <div class="preview" role="status">
      <h3>{wordsOf(data)}</h3>
      {condition.kind === 'statistic' && now && <p class="quiet now">{seenText(condition, now)}</p>}
      {condition.kind === 'statistic' && <FigureChart source={source} condition={condition} tried={data} />}
      {data.entries.length > 0 && (
        <details>
          <summary>
            {data.entries.length > mostTimes ? `The last ${mostTimes} messages` : allWords(data.fired)}
          </summary>
          <ul class="said">
            {data.entries.slice(-mostTimes).map(({ slot, what, text }) => (
              <li key={`${slot} ${text}`}>
                <time dateTime={new Date(slot * 1000).toISOString()}>{dateTime(slot)}</time>{' '}
                {what === 'fired' ? 'Alert' : 'Resolved'}: {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
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
