import { colorOf } from './palette.ts'
import { type ChartSpec, groupsOf, seriesOf, timeOf, units } from './spec.ts'

interface LegendProps {
  spec: ChartSpec
  hidden: readonly string[]
  /** The bucket under the crosshair; null: the newest. */
  at: number | null
  onToggle?: ((group: string) => void) | undefined
}

/** Names, colours and figures of a chart; each name shows and hides its series. */
export function Legend({ spec, hidden, at, onToggle }: LegendProps) {
  const { write } = units[spec.unit]
  const index = at ?? spec.times.length - 1
  const time = spec.times[index]
  return (
    <div class="legend">
      {groupsOf(spec).map((group) => {
        const series = seriesOf(spec, group)
        const shown = !hidden.includes(group)
        const name = (
          <>
            <span class="swatch" style={{ background: colorOf(series[0]?.color ?? 0) }} />
            {group}
          </>
        )
        return (
          <span key={group} class="entry">
            {onToggle ? (
              <button type="button" class="plain" aria-pressed={shown} onClick={() => onToggle(group)}>
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
            {shown && (
              <span class="figures">{series.map(({ values }) => write(values[index])).join(' · ')}</span>
            )}
          </span>
        )
      })}
      {time !== undefined && (
        <time class="quiet">
          {at === null && 'newest: '}
          {timeOf(spec, time)}
        </time>
      )}
    </div>
  )
}
