import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { count } from '../../format.ts'
import type { Column } from '../run/answer.ts'
import { mostFilters, needsValue, type ResultFilter, tests } from './filter.ts'

interface FiltersProps {
  columns: readonly Column[]
  filters: Signal<ResultFilter[]>
  shown: number
  total: number
}

/** The filters of the received rows. */
export function Filters({ columns, filters, shown, total }: FiltersProps) {
  const { value: list } = filters
  const fields = useRef<HTMLFieldSetElement>(null)
  const asked = useRef(0)
  // A new filter gets the focus before the next frame, so that no typed key is lost.
  useLayoutEffect(() => {
    if (list.length > asked.current) [...(fields.current?.querySelectorAll('input') ?? [])].at(-1)?.focus()
    asked.current = list.length
  }, [list.length])
  if (list.length === 0) return null
  const change = (at: number, changes: Partial<ResultFilter>) => {
    filters.value = list.map((filter, index) => (index === at ? { ...filter, ...changes } : filter))
  }
  return (
    <fieldset class="row-filters" aria-label="Filters" ref={fields}>
      {list.map((filter, index) => (
        <div key={index} class="bar">
          <select
            class="small"
            aria-label="Column"
            value={String(filter.column)}
            onChange={({ currentTarget }) => change(index, { column: Number(currentTarget.value) })}
          >
            {columns.map(({ name }, column) => (
              <option key={column} value={String(column)}>
                {name}
              </option>
            ))}
          </select>
          <select
            class="small"
            aria-label="Test"
            value={filter.test}
            onChange={({ currentTarget }) =>
              change(index, { test: currentTarget.value as ResultFilter['test'] })
            }
          >
            {Object.entries(tests).map(([test, words]) => (
              <option key={test} value={test}>
                {words}
              </option>
            ))}
          </select>
          {needsValue(filter) && (
            <input
              class="small"
              aria-label="Value"
              value={filter.value}
              onInput={({ currentTarget }) => change(index, { value: currentTarget.value })}
            />
          )}
          <button
            type="button"
            class="small"
            aria-label={`Remove the filter of ${columns[filter.column]?.name}`}
            onClick={() => {
              filters.value = list.filter((_filter, at) => at !== index)
            }}
          >
            ✕
          </button>
        </div>
      ))}
      <output class="quiet">
        {count(shown)} of {count(total)} rows
      </output>
    </fieldset>
  )
}

/** A further filter, on the focused column. */
export const AddFilter = ({ filters, column }: { filters: Signal<ResultFilter[]>; column: number }) => (
  <button
    type="button"
    class="small"
    disabled={filters.value.length >= mostFilters}
    onClick={() => {
      filters.value = [...filters.value, { column, test: 'contains', value: '' }]
    }}
  >
    Filter
  </button>
)
