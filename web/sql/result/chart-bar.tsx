import { chartKinds, dashboardLimits } from '../../../contract/dashboard-limits.ts'
import type { SqlChart } from '../../../contract/dashboards.ts'
import { Dropdown } from '../../components/dropdown.tsx'
import { Select } from '../../components/select.tsx'
import type { Column } from '../run/answer.ts'
import { changed, choicesOf } from './chart-choice.ts'

const kinds = { line: 'Lines', bars: 'Bars', points: 'Points' }

interface ChartBarProps {
  columns: readonly Column[]
  chart: SqlChart
  onChange: (chart: SqlChart) => void
}

/** The settings of the chart. */
export function ChartBar({ columns, chart, onChange }: ChartBarProps) {
  const { kind, x, y, by } = chart
  const choices = choicesOf(columns, kind)
  const change = (changes: Partial<SqlChart>) => onChange(changed(chart, changes, columns))
  const isBars = kind === 'bars'
  return (
    <fieldset class="bar chart-bar" aria-label="Chart">
      <Select
        label="Chart"
        value={kind}
        options={chartKinds.map((name) => [name, kinds[name]] as const)}
        onChange={(next) => change({ kind: next })}
      />
      <Select
        label={isBars ? 'Names' : 'Across'}
        value={x}
        options={twice(choices.x)}
        onChange={(next) => change({ x: next })}
      />
      {isBars ? (
        <Select
          label="Figure"
          value={y[0] ?? ''}
          options={twice(choices.y)}
          onChange={(next) => change({ y: [next] })}
        />
      ) : (
        <Figures names={choices.y} chosen={y} onChange={(next) => change({ y: next })} />
      )}
      {!isBars && (
        <Select
          label={kind === 'line' ? 'A line for each' : 'A colour for each'}
          value={by ?? ''}
          options={[['', '–'], ...twice(choices.by.filter((name) => name !== x))]}
          onChange={(next) => change({ by: next || null })}
        />
      )}
    </fieldset>
  )
}

type Option = readonly [value: string, text: string]
const twice = (names: readonly string[]): Option[] => names.map((name) => [name, name])

interface FiguresProps {
  names: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The choice of numeric columns: at least one, and at most as many as can be distinguished. */
function Figures({ names, chosen, onChange }: FiguresProps) {
  const label = chosen.length === 1 ? (chosen[0] ?? '') : `${chosen.length} columns`
  return (
    <Dropdown label={`Figures: ${label}`}>
      {() => (
        <div class="options">
          {names.map((name) => {
            const isChosen = chosen.includes(name)
            const others = chosen.filter((other) => other !== name)
            return (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={isChosen ? others.length === 0 : chosen.length >= dashboardLimits.columns}
                  onChange={() => onChange(isChosen ? others : [...chosen, name])}
                />{' '}
                {name}
              </label>
            )
          })}
        </div>
      )}
    </Dropdown>
  )
}
