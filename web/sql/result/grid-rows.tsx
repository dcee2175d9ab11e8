// If CSS lays a table out as grids, some browsers no longer treat it as a table: the roles restore this.
// biome-ignore-all lint/a11y/noRedundantRoles: see above
// biome-ignore-all lint/a11y/useSemanticElements: see above
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid itself has the focus and names the active cell
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: cells of a grid, as ARIA's pattern has them
import { useMemo } from 'preact/hooks'
import { shortType } from '../format.ts'
import type { Column, Row } from '../run/answer.ts'
import type { Place } from './grid-keyboard.ts'
import type { Order } from './sort.ts'
import { fractionOf, kindOf, textOf } from './values.ts'

export const cellId = ({ row, column }: Place): string => `cell-${row}-${column}`

/** The cell that an event happened in. */
export function placeOf({ target }: Event): Place | undefined {
  const cell = target instanceof Element ? target.closest('[id^="cell-"]') : null
  const [, row, column] = /^cell-(-?\d+)-(\d+)$/.exec(cell?.id ?? '') ?? []
  return row === undefined ? undefined : { row: Number(row), column: Number(column) }
}

interface HeadProps {
  columns: readonly Column[]
  /** The focused column, if it is in this row. */
  active: number | undefined
  sorted: Order | undefined
}

/** Names and types. */
export function GridHead({ columns, active, sorted }: HeadProps) {
  const direction = sorted?.descending ? 'descending' : 'ascending'
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {columns.map(({ name, type }, column) => (
          <th
            key={column}
            id={cellId({ row: -1, column })}
            role="columnheader"
            aria-colindex={column + 1}
            aria-sort={sorted?.column === column ? direction : 'none'}
            class={classOf(type, active === column)}
            title={`${name}: ${type}`}
          >
            <strong>{name}</strong>
            <small>{shortType(type)}</small>
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface RowProps {
  columns: readonly Column[]
  /** The longest fractional part in each column of numbers; 0 for other columns. */
  fractions: readonly number[]
  row: Row
  /** Counted from 0, without the head. */
  index: number
  /** The focused column, if it is in this row. */
  active?: number | undefined
  /** The distance of the row from the top. */
  top?: number
}

/** Memoized: scrolling does not draw rows again that stay visible. */
export const GridRow = ({ columns, fractions, row, index, active, top = 0 }: RowProps) =>
  useMemo(
    () => (
      <tr
        role="row"
        aria-rowindex={index + 2}
        class={index % 2 ? 'odd' : undefined}
        style={{ transform: `translateY(${top}px)` }}
      >
        {columns.map(({ type }, column) => (
          <td
            key={column}
            id={cellId({ row: index, column })}
            role="gridcell"
            aria-colindex={column + 1}
            class={classOf(type, active === column)}
            style={roomBehind(row[column], fractions[column] ?? 0)}
          >
            <Value value={row[column]} />
          </td>
        ))}
      </tr>
    ),
    [columns, fractions, row, index, active, top],
  )

const classOf = (type: string, isActive: boolean) => `${kindOf(type)}${isActive ? ' active' : ''}`

/** Numbers stand below each other by their points: the font is of one width. The text stays as it is, for copying. */
function roomBehind(value: unknown, longest: number): string | undefined {
  const room = longest === 0 || value === null ? 0 : longest - fractionOf(value)
  return room > 0 ? `padding-right: calc(0.6rem + ${room}ch)` : undefined
}

const longestShown = 300

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span class="null">NULL</span>
  const text = textOf(value)
  return <>{text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}</>
}
