import { nothing } from '../format.ts'
import { colorOf } from './palette.ts'
import { type ChartSpec, figuresOf, groupsOf, placeOf, seriesOf } from './spec.ts'

interface LegendProps {
  spec: ChartSpec
  hidden: readonly string[]
  /** The bucket under the crosshair; null: the newest. */
  at: number | null
  onToggle?: ((group: string) => void) | undefined
}

/** Names, colours and figures of a chart; each name shows and hides its series. */
export function Legend({ spec, hidden, at, onToggle }: LegendProps) {
  const index = at ?? spec.places.length - 1
  const place = spec.places[index]
  // Charts over time show the newest figures. Other charts show figures only of the place under the pointer.
  const hasFigures = at !== null || !spec.axis
  return (
    <div class="legend">
      <div class="entries">
        {groupsOf(spec).map((group) => {
          const { length } = seriesOf(spec, group)
          const shown = !hidden.includes(group)
          const name = (
            <>
              <span class="swatch" style={{ background: colorOf(seriesOf(spec, group)[0]?.color ?? 0) }} />
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
              {shown && hasFigures && (
                // Its width hardly changes with the figures, so that its neighbours stay where they are.
                <span class="reading" style={{ minWidth: `${[0, 4.1, 8.2, 15][Math.min(3, length)]}em` }}>
                  {readingOf(spec, group, index)}
                </span>
              )}
            </span>
          )
        })}
      </div>
      {place !== undefined && at !== null && <time class="quiet">{placeOf(spec, place)}</time>}
    </div>
  )
}

/** The figures of a group at a place. A group without a figure there, as the past beside a forecast, has no text. */
function readingOf(spec: ChartSpec, group: string, index: number): string {
  const text = figuresOf(spec, group, index)
  return spec.series.some(({ dashed }) => dashed) && text === nothing ? '' : text
}
