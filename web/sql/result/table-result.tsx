import { type Signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { SqlChart } from '../../../contract/dashboards.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { copyText } from '../../components/copy-text.ts'
import { count } from '../../format.ts'
import type { SqlConsole } from '../console.ts'
import type { Column, Row } from '../run/answer.ts'
import type { Execution } from '../run/execution.ts'
import { ChartBar } from './chart-bar.tsx'
import { chartFor } from './chart-choice.ts'
import { pictureOf } from './chart-of.ts'
import { Download } from './download.tsx'
import { type ResultFilter, rowsWithin } from './filter.ts'
import { AddFilter, Filters } from './filters.tsx'
import { Grid } from './grid.tsx'
import type { Place } from './grid-keyboard.ts'
import { PictureOf } from './picture.tsx'
import { nextOrder, type Order, sortRows } from './sort.ts'
import { FailureNote, Status } from './status.tsx'
import { kindOf, textOf, tsvOf } from './values.ts'

/** Results with more columns than this are only for files. */
const mostColumns = 200

interface TableResultProps {
  execution: Execution
  desk: SqlConsole
}

/** Rows as a table, or as a chart where they have figures. */
export function TableResult({ execution, desk }: TableResultProps) {
  const { wantsChart } = desk
  const { answer, rowCount, state, question } = execution
  const sorted = useSignal<Order>()
  const filters = useSignal<ResultFilter[]>([])
  const active = useSignal<Place>({ row: -1, column: 0 })
  const columns = useMemo(() => answer.columns.slice(0, mostColumns), [answer.columns])
  const found = useMemo(
    () => rowsWithin(answer.rows, columns, filters.value),
    [columns, filters.value, rowCount],
  )
  const order = useMemo(() => {
    const { value } = sorted
    return value ? sortRows(answer.rows, value, kindOf(columns[value.column]?.type ?? ''), found) : found
  }, [sorted.value, found, rowCount])
  const chart = useMemo(() => chartFor(desk.chart.value, columns), [desk.chart.value, columns])
  const shown = order?.length ?? rowCount
  const rowAt = (index: number) => answer.rows[order?.[index] ?? index] ?? []
  const { row, column } = active.value
  const looked = row < 0 ? columns[column]?.name : rowAt(row)[column]
  const cell = textOf(looked ?? '')
  const isEnded = state !== 'running' && rowCount > 0

  return (
    <>
      <div class="bar">
        <Status execution={execution} />
        <span class="spring" />
        {isEnded && chart && <ViewSwitch wantsChart={wantsChart} />}
        {isEnded && <AddFilter filters={filters} column={column} />}
        <CopyButton label="Copy cell" text={() => cell} />
        <CopyButton
          label="Copy all"
          text={() =>
            tsvOf(
              answer.columns,
              Array.from({ length: shown }, (_, index) => rowAt(index)),
            )
          }
        />
        <Download question={question} />
      </div>
      <Filters columns={columns} filters={filters} shown={shown} total={rowCount} />
      <FailureNote desk={desk} />
      {columns.length < answer.columns.length && (
        <p class="note">
          The first {mostColumns} of {count(answer.columns.length)} columns: a download has all.
        </p>
      )}
      {isEnded && chart && wantsChart.value ? (
        <ResultChart desk={desk} columns={columns} chart={chart} found={found} rows={answer.rows} />
      ) : (
        <>
          <Grid
            columns={columns}
            rows={answer.rows}
            rowCount={shown}
            totals={answer.totals}
            order={order}
            sorted={sorted.value}
            active={active}
            onSort={(clicked) => {
              sorted.value = nextOrder(sorted.value, clicked)
            }}
            onCopy={() => copyText(cell)}
          />
          {isLong(cell) && <Whole name={columns[column]?.name ?? ''} value={looked} />}
        </>
      )}
    </>
  )
}

function ViewSwitch({ wantsChart }: { wantsChart: Signal<boolean> }) {
  return (
    <fieldset class="switch" aria-label="Show the result as">
      {[false, true].map((chart) => (
        <button
          key={String(chart)}
          type="button"
          class="small"
          aria-pressed={wantsChart.value === chart}
          onClick={() => {
            wantsChart.value = chart
          }}
        >
          {chart ? 'Chart' : 'Table'}
        </button>
      ))}
    </fieldset>
  )
}

interface ResultChartProps {
  desk: SqlConsole
  columns: readonly Column[]
  rows: readonly Row[]
  /** The indexes of the shown rows; undefined: all. */
  found: Uint32Array | undefined
  chart: SqlChart
}

function ResultChart({ desk, columns, rows, found, chart }: ResultChartProps) {
  const picture = useMemo(() => {
    const shown = found ? Array.from(found, (index) => rows[index] ?? []) : rows
    return pictureOf(columns, shown, chart)
  }, [columns, found, chart])
  return (
    <>
      <ChartBar
        columns={columns}
        chart={chart}
        onChange={(next) => {
          desk.chart.value = next
        }}
      />
      <PictureOf picture={picture} />
    </>
  )
}

/** True if a cell cuts the text. */
const isLong = (text: string) => text.length > 42 || text.includes('\n')

/** The complete value of a cut cell, with a line for each item of lists and maps. */
function Whole({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section class="whole" tabIndex={0} aria-label={`All of ${name}`}>
      <pre>{text}</pre>
    </section>
  )
}
