import { useMemo } from 'preact/hooks'
import { axes, type ChartSpec, placeOf, writerOf } from './spec.ts'

const most = 500

/** The figures of a chart; over time the newest first. */
export const ChartTable = ({ spec }: { spec: ChartSpec }) => useMemo(() => tableOf(spec), [spec])

// A move of the crosshair does not draw this table again.
function tableOf(spec: ChartSpec) {
  const rows = spec.places.map((_place, index) => index)
  if (!spec.axis) rows.reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={`Table: ${spec.title}`}>
      <table>
        <caption>
          {spec.title}, {spec.unit}
          {rows.length > most &&
            `. The ${spec.axis ? 'first' : 'newest'} ${most} of ${rows.length} points; the CSV has all.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{spec.axis ? axes[spec.axis].title : 'Time'}</th>
            {spec.series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((index) => (
            <tr key={index}>
              <th scope="row">{placeOf(spec, spec.places[index] ?? 0)}</th>
              {spec.series.map((series) => (
                <td key={series.label}>{writerOf(spec, series)(series.values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
