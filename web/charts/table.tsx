import { type ChartSpec, timeOf, units } from './spec.ts'

const most = 500

/** The figures of a chart, newest first. */
export function ChartTable({ spec }: { spec: ChartSpec }) {
  const { write } = units[spec.unit]
  const rows = spec.times.map((_time, index) => index).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={`Table: ${spec.title}`}>
      <table>
        <caption>
          {spec.title}, {spec.unit}
          {rows.length > most && `. The newest ${most} of ${rows.length} points; the CSV has all.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
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
              <th scope="row">{timeOf(spec, spec.times[index] as number)}</th>
              {spec.series.map(({ label, values }) => (
                <td key={label}>{write(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
