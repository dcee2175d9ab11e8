import { anyFigure } from '../../format.ts'
import type { Bars as BarsSpec } from './chart-of.ts'

/** The length of a bar; 0 for missing and infinite values. */
const finite = (value: number | null): number => (Number.isFinite(value) ? Math.abs(value ?? 0) : 0)

/** A chart with a bar for each name. */
export function Bars({ bars: { label, unit, bars, total } }: { bars: BarsSpec }) {
  const largest = Math.max(...bars.map(({ value }) => finite(value)), Number.MIN_VALUE)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section class="bars" tabIndex={0} aria-label={`${unit} by ${label}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col" colSpan={2}>
              {unit}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, value }, index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td class="figure">{anyFigure(value)}</td>
              <td class="track">
                <div
                  class={value !== null && value < 0 ? 'bar negative' : 'bar'}
                  style={{ width: `${(100 * finite(value)) / largest}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > bars.length && (
        <p class="note">
          The first {bars.length} of {total} rows.
        </p>
      )}
    </section>
  )
}
