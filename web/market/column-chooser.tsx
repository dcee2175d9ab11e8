import { Dropdown } from '../components/dropdown.tsx'
import { choosable, type MarketColumn, withColumn } from './columns.ts'

interface ColumnChooserProps {
  /** The shown columns. */
  columns: readonly MarketColumn[]
  onChange: (names: string[]) => void
}

/** The choice of the table's columns. No choice means the default columns. */
export const ColumnChooser = ({ columns, onChange }: ColumnChooserProps) => (
  <Dropdown label="Columns">
    {() => (
      <>
        <div class="options">
          {choosable.map(({ name, title }) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={columns.some((column) => column.name === name)}
                onChange={() => onChange(withColumn(columns, name))}
              />
              {title}
            </label>
          ))}
        </div>
        <button type="button" class="secondary outline" onClick={() => onChange([])}>
          The usual ones
        </button>
      </>
    )}
  </Dropdown>
)
