import type uPlot from 'uplot'
import { colorOf } from './palette.ts'
import { type ChartSpec, figuresOf, groupsOf, placeOf, seriesOf } from './spec.ts'

/** The figures under the mouse, beside it. The legend shows the same to users of the keyboard. */
export function Tip({ spec, plot, at }: { spec: ChartSpec; plot: uPlot | undefined; at: number | null }) {
  const place = at === null ? undefined : spec.places[at]
  if (!plot || at === null || place === undefined) return null
  const left = plot.valToPos(place, 'x') + plot.over.offsetLeft
  const isRight = left > plot.width / 2
  return (
    <div
      class="tip"
      aria-hidden="true"
      style={isRight ? { right: `${plot.width - left + 12}px` } : { left: `${left + 12}px` }}
    >
      <strong>{placeOf(spec, place)}</strong>
      {groupsOf(spec).map((group) => (
        <span key={group}>
          <span class="swatch" style={{ background: colorOf(seriesOf(spec, group)[0]?.color ?? 0) }} />
          {group} {figuresOf(spec, group, at)}
        </span>
      ))}
      {eventsAt(spec, at).map(({ label, place }) => (
        <span key={`${label} ${place}`} class="event">
          {label}, {placeOf(spec, place)}
        </span>
      ))}
    </div>
  )
}

/** The events that are closer to a place than its neighbours. */
function eventsAt({ marks = [], places }: ChartSpec, at: number) {
  const here = places[at] ?? 0
  const near = ((places.at(-1) ?? here) - (places[0] ?? here)) / 80
  return marks.filter(({ isEvent, place }) => isEvent && Math.abs(place - here) <= near)
}
