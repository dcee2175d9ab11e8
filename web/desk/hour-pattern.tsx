import './hours.css'
import { type Filters, machinesThat } from '../../contract/market-filter.ts'
import type { GpuRentalHours, RentalHoursAnswer } from '../../contract/rental-hours.ts'
import { newestSlot } from '../api/freshness.ts'
import { useMarket } from '../api/queries.ts'
import { Status } from '../components/status.tsx'
import { useWidth } from '../components/use-width.ts'
import { counted, day, minutesAhead, type Zone } from '../format.ts'
import { noPatternSentence, onClock, patternSentences, ratioWords, timeWords } from './hour-words.ts'

interface HourPatternProps {
  name: string
  filters: Filters
  zone: Zone
}

/** The rate of rentals by hour of the day, where hours differ significantly. */
export function HourPattern({ name, filters, zone }: HourPatternProps) {
  const query = useMarket<RentalHoursAnswer>('rental-hours', { gpu_name: name, ...filters })
  const found = query.data?.gpus[name]
  const ahead = minutesAhead(newestSlot.value, zone)
  return (
    <div class="rental-hours">
      <Status of={[query]} hasData={found !== undefined} />
      {found && !found.pattern && <p>{noPatternSentence(found)}</p>}
      {found?.pattern && (
        <>
          <p>{patternSentences(name, found.pattern, ahead).join(' ')}</p>
          <HourBars pattern={found.pattern} ahead={ahead} />
          <p class="note">
            Rate of rentals of a free GPU on weekdays ÷ mean of the week (the dashed line), with 95 %
            intervals, in {ahead === 0 ? 'UTC' : 'your time zone'}. {counted(found.rentals, 'rental')} of{' '}
            {machinesThat(filters)} with {name}, {day(found.from)} to {day(found.to - 1)}. Observed: prices
            and machines may differ by hour, too.
          </p>
        </>
      )}
    </div>
  )
}

const height = 180
const below = 20
/** An hour of a Wednesday, of the hours of a week. */
const wednesday = 48

/** A bar for each hour of the day, with its interval and a line at the mean of the week. */
function HourBars({ pattern, ahead }: { pattern: NonNullable<GpuRentalHours['pattern']>; ahead: number }) {
  const [frame, width] = useWidth(526)
  const bars = Array.from({ length: 24 }, (_, hourOfDay) => ({
    at: onClock(hourOfDay, ahead),
    value: pattern.ratio[wednesday + hourOfDay] ?? 0,
    low: pattern.low[wednesday + hourOfDay] ?? 0,
    high: pattern.high[wednesday + hourOfDay] ?? 0,
  })).sort((one, other) => one.at - other.at)
  const highest = Math.max(1, ...bars.map(({ high }) => high))
  const placeOf = (ratio: number) => (height - below) * (1 - ratio / highest)
  const step = width / 24
  return (
    <div class="hour-bars" ref={frame}>
      <svg width={width} height={height} role="img" aria-label="Rate of rentals by hour of the day ÷ mean">
        {bars.map(({ at, value, low, high }, index) => (
          <g key={at}>
            <title>
              {timeWords(at)}: {ratioWords(value)} ({ratioWords(low)} to {ratioWords(high)})
            </title>
            <rect
              x={index * step}
              width={Math.max(1, step - 2)}
              y={placeOf(value)}
              height={height - below - placeOf(value)}
            />
            <line
              class="interval"
              x1={index * step + step / 2 - 1}
              x2={index * step + step / 2 - 1}
              y1={placeOf(high)}
              y2={placeOf(low)}
            />
            {index % 6 === 0 && (
              <text x={index * step} y={height - 4}>
                {timeWords(at)}
              </text>
            )}
          </g>
        ))}
        <line class="mean" x1={0} x2={width} y1={placeOf(1)} y2={placeOf(1)} />
      </svg>
    </div>
  )
}
