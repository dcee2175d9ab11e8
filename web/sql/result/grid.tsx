// biome-ignore-all lint/a11y/noRedundantRoles: as in grid-rows.tsx
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: a grid, as ARIA's pattern has it
import type { Signal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { shortType } from '../format.ts'
import type { Column, Row } from '../run/answer.ts'
import { type Place, placeAfter } from './grid-keyboard.ts'
import { cellId, GridHead, GridRow, placeOf } from './grid-rows.tsx'
import type { Order } from './sort.ts'
import { fractionOf, kindOf, textOf } from './values.ts'
import { useVirtualRows } from './virtual.ts'

const rowHeight = 28
const headHeight = 46

interface GridProps {
  columns: readonly Column[]
  rows: readonly Row[]
  rowCount: number
  totals: Row | undefined
  /** The index of the answer's row at each place; undefined: in the order of the answer. */
  order: Uint32Array | undefined
  sorted: Order | undefined
  /** The focused cell. */
  active: Signal<Place>
  onSort: (column: number) => void
  onCopy: () => void
}

/** A table of any length: only visible rows are drawn. The table is one tab stop, and arrow keys move between cells. */
export function Grid(props: GridProps) {
  const { columns, rows, rowCount, totals, order, sorted, active, onSort, onCopy } = props
  const scroller = useRef<HTMLTableElement>(null)
  const virtual = useVirtualRows({
    count: rowCount,
    height: rowHeight,
    head: headHeight,
    scroller: () => scroller.current,
  })
  const items = virtual.getVirtualItems()
  const seen = Math.min(rowCount, sampled)
  const fractions = useMemo(() => fractionsOf(columns, rows), [columns, seen])
  const widths = useMemo(() => widthsOf(columns, rows, fractions), [columns, fractions])
  const { row: activeRow, column: activeColumn } = active.value
  const isDrawn = activeRow < 0 || items.some(({ index }) => index === activeRow)

  function go(place: Place): void {
    active.value = place
    if (place.row >= 0) virtual.scrollToIndex(place.row)
    else virtual.scrollToOffset(0)
    requestAnimationFrame(() =>
      document.getElementById(cellId(place))?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
  }
  function onClick(event: MouseEvent): void {
    const place = placeOf(event)
    if (!place || place.row === rowCount) return // totals
    if (place.row < 0) onSort(place.column)
    go(place)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const place = placeAfter(event, active.value, { rows: rowCount, columns: columns.length, page })
    if (place) go(place)
    else if (activeRow < 0 && (event.key === 'Enter' || event.key === ' ')) onSort(activeColumn)
    else if (isCopy(event)) onCopy()
    else return
    event.preventDefault()
  }

  return (
    <table
      class="cells"
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label="Result"
      aria-rowcount={rowCount + (totals ? 2 : 1)}
      aria-colcount={columns.length}
      aria-activedescendant={isDrawn ? cellId(active.value) : undefined}
      onClick={onClick}
      onKeyDown={onKeyDown}
      style={{ '--columns': widths, '--rows': `${virtual.getTotalSize() - headHeight}px` }}
    >
      <GridHead columns={columns} active={activeRow < 0 ? activeColumn : undefined} sorted={sorted} />
      <tbody role="rowgroup">
        {items.map(({ index, start }) => (
          <GridRow
            key={index}
            columns={columns}
            fractions={fractions}
            row={rows[order?.[index] ?? index] ?? []}
            index={index}
            active={activeRow === index ? activeColumn : undefined}
            top={start - headHeight}
          />
        ))}
      </tbody>
      {totals && (
        <tfoot role="rowgroup">
          <GridRow columns={columns} fractions={fractions} row={totals} index={rowCount} />
        </tfoot>
      )}
    </table>
  )
}

/** True for the keys that copy the cell. Text selected with the mouse is copied by the browser. */
const isCopy = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'c' && (ctrlKey || metaKey) && getSelection()?.type !== 'Range'

const sampled = 60

/** The longest fractional parts of the first rows. Longer ones in later rows overlap the margin. */
const fractionsOf = (columns: readonly Column[], rows: readonly Row[]): number[] =>
  columns.map(({ type }, column) =>
    kindOf(type) === 'number'
      ? Math.max(0, ...rows.slice(0, sampled).map((row) => fractionOf(row[column])))
      : 0,
  )

/** The widths of columns, from the first rows: the font is monospaced, so characters can be counted. */
function widthsOf(columns: readonly Column[], rows: readonly Row[], fractions: readonly number[]): string {
  const sample = rows.slice(0, sampled)
  const widths = columns.map(({ name, type }, column) => {
    const behind = fractions[column] ?? 0
    const lengths = sample.map(
      (row) => textOf(row[column]).length + Math.max(0, behind - fractionOf(row[column])),
    )
    return Math.min(44, Math.max(name.length + 2, shortType(type).length * 0.85, ...lengths, 4) + 2.5)
  })
  return widths.map((width) => `${width}ch`).join(' ')
}
