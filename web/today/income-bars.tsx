import './income-bars.css'
import { useSignal } from '@preact/signals'
import { Skeleton } from '../components/skeleton.tsx'
import { dayAndMonth, earned, nothing } from '../format.ts'
import { amountsOf, axisOf, dayWords, type IncomeBar } from './days.ts'

interface IncomeBarsProps {
  /** Empty: nothing is known yet. */
  bars: readonly IncomeBar[]
  /** The number of last days that the sentence beside the bars is about. */
  strong: number
  waiting: boolean
}

/** Days from one label of the axis to the next. */
const labelled = 7

/** The income of the last days as bars, beside the expected one. Arrow keys lead from day to day. */
export function IncomeBars({ bars, strong, waiting }: IncomeBarsProps) {
  const chosen = useSignal(-1)
  const [oldest] = bars
  if (!oldest)
    return (
      <div class="pad income-bars">
        {waiting ? <Skeleton /> : <p class="quiet">The income by day appears here once a day is recorded.</p>}
      </div>
    )
  const first = bars.findIndex(({ income }) => income !== null)
  const since = bars[first] ?? oldest
  const { top, lines } = axisOf(bars)
  const shown = bars[chosen.value]
  const forget = () => {
    chosen.value = -1
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') forget()
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const next = event.key === 'ArrowRight' ? chosen.value + 1 : (shown ? chosen.value : bars.length) - 1
    chosen.value = Math.min(bars.length - 1, Math.max(first, next))
  }
  return (
    <div class="pad income-bars">
      <p class="legend" aria-live="polite">
        {shown ? (
          <>
            <strong>{dayWords(shown)}</strong> {amountsOf(shown).join(', ')}
          </>
        ) : (
          <>
            <span class="of-bars">Earned a day</span>
            {bars.some(({ expected }) => expected !== null) && (
              <span class="of-line">Expected at your present prices</span>
            )}
          </>
        )}
      </p>
      <div
        class="plot"
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys lead from bar to bar, as in the charts
        tabIndex={0}
        aria-label={`Income by day since ${dayWords(since)}`}
        onKeyDown={onKeyDown}
        onBlur={forget}
        onPointerLeave={forget}
      >
        {lines.map((value) => (
          <span key={value} class="line" style={{ bottom: shareOf(value, top) }}>
            <span>{value === 0 ? '$0' : earned(value)}</span>
          </span>
        ))}
        <div class="bars">
          {bars.map((bar, index) => (
            <Bar
              key={bar.day}
              bar={bar}
              top={top}
              states={statesOf(bars, index, { strong, chosen: chosen.value })}
              tick={(bars.length - 1 - index) % labelled === 0}
              onEnter={() => {
                chosen.value = index
              }}
            />
          ))}
        </div>
      </div>
      <DaysTable bars={bars.slice(first)} />
    </div>
  )
}

const shareOf = (value: number, top: number): string => `${(100 * value) / top}%`

/** The classes of a bar. The best day has its amount above it, where no neighbor is in the way. */
const statesOf = (
  bars: readonly IncomeBar[],
  index: number,
  { strong, chosen }: { strong: number; chosen: number },
): string =>
  [
    index >= bars.length - strong && 'strong',
    bars[index]?.isPresent && 'present',
    index === chosen && 'chosen',
    index === bestOf(bars) && 'named',
  ]
    .filter(Boolean)
    .join(' ')

function bestOf(bars: readonly IncomeBar[]): number {
  const incomes = bars.map(({ income }) => income ?? 0)
  return incomes.indexOf(Math.max(...incomes))
}

interface BarProps {
  bar: IncomeBar
  top: number
  states: string
  tick: boolean
  onEnter: () => void
}

const Bar = ({ bar: { day, income, expected, isPresent }, top, states, tick, onEnter }: BarProps) => (
  <span class={`day ${states}`} onPointerEnter={onEnter}>
    {income !== null && (
      <span class="bar" style={{ height: shareOf(income, top) }}>
        <b>{earned(income)}</b>
      </span>
    )}
    {expected !== null && <span class="expected" style={{ bottom: shareOf(expected, top) }} />}
    {tick && <span class="tick">{isPresent ? 'Today' : dayAndMonth(day)}</span>}
  </span>
)

const DaysTable = ({ bars }: { bars: readonly IncomeBar[] }) => (
  <table class="unseen">
    <caption>Income by day in USD</caption>
    <thead>
      <tr>
        <th scope="col">Day</th>
        <th scope="col">Earned</th>
        <th scope="col">Expected</th>
        <th scope="col">Net after costs</th>
      </tr>
    </thead>
    <tbody>
      {bars.map((bar) => (
        <tr key={bar.day}>
          <th scope="row">{dayWords(bar)}</th>
          <td>{earned(bar.income)}</td>
          <td>{earned(bar.expected)}</td>
          <td>{bar.net === null ? nothing : earned(bar.net)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
