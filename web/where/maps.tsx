import { maps } from 'virtual:world-map'
import type { MarketPlace } from '../../contract/places.ts'
import { useWidth } from '../components/use-width.ts'
import { count, counted, wholePercent } from '../format.ts'
import { placeLabels } from './labels.ts'
import { forWorld, hasEurope, ownOnWorld, placeName, shadeOf } from './places.ts'

type Shown = Pick<MarketPlace, 'place' | 'gpus' | 'occupancy'>

interface MapsProps {
  places: readonly MarketPlace[]
  /** Limits between the shades. */
  limits: readonly number[]
  /** The number of own machines by place. */
  own: ReadonlyMap<string, number>
}

/** The map of the world and, with several countries there, of Europe. */
export function Maps({ places, limits, own }: MapsProps) {
  const world = forWorld(places)
  const largest = Math.max(1, ...world.map(({ gpus }) => gpus))
  return (
    <>
      <Picture
        drawn={maps.world}
        places={world}
        limits={limits}
        largest={largest}
        own={ownOnWorld(own, places)}
        label="GPUs on a map of the world. The table has the same figures."
      />
      {hasEurope(places) && (
        <div class="inset">
          <h3>Europe</h3>
          <Picture
            drawn={maps.europe}
            places={places}
            limits={limits}
            largest={largest / 3}
            own={own}
            label="GPUs on a map of Europe. The table has the same figures."
          />
        </div>
      )}
    </>
  )
}

interface PictureProps {
  drawn: DrawnMap
  places: readonly Shown[]
  limits: readonly number[]
  /** The GPUs of the largest circle. */
  largest: number
  own: ReadonlyMap<string, number>
  label: string
}

const [smallest, widest] = [3.5, 0.045]
/** The direction of a corner, as a share of the radius. */
const edge = Math.SQRT1_2

/** Land with a circle for each place. It is drawn at the width that it has: texts keep their size. */
function Picture({ drawn, places, limits, largest, own, label }: PictureProps) {
  const [frame, width] = useWidth(drawn.width)
  const scale = width / drawn.width
  const circles = places.flatMap((row) => {
    const [x, y] = drawn.places[row.place] ?? []
    if (x === undefined || y === undefined) return []
    const radius = Math.max(smallest, widest * width * Math.sqrt(Math.min(1, row.gpus / largest)))
    const text = `${placeName(row.place, 'short')} ${count(row.gpus)}`
    return [{ ...row, x: x * scale, y: y * scale, radius, text }]
  })
  const size = { width, height: drawn.height * scale }
  return (
    <div ref={frame} class="map" style={{ aspectRatio: `${drawn.width} / ${drawn.height}` }}>
      <svg {...size} role="img" aria-label={label}>
        <g transform={`scale(${scale})`}>
          <path class="land" d={drawn.land} />
          <path class="borders" d={drawn.borders} />
        </g>
        {circles.map(({ place, gpus, occupancy, x, y, radius }) => (
          <circle key={place} class={`shade-${shadeOf(occupancy, limits)}`} cx={x} cy={y} r={radius}>
            <title>
              {placeName(place)}: {count(gpus)} GPUs
              {occupancy !== null && `, ${wholePercent(occupancy)} rented`}
              {own.has(place) && `, ${counted(own.get(place) ?? 0, 'machine')} of yours`}
            </title>
          </circle>
        ))}
        {circles
          .filter(({ place }) => own.has(place))
          .map(({ place, x, y, radius }) => (
            // On the edge, so that the shade is seen.
            <circle key={place} class="own" cx={x + radius * edge} cy={y - radius * edge} r={4} />
          ))}
        {placeLabels(circles, size).map(({ text, x, y }) => (
          <text key={text} x={x} y={y}>
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
}
