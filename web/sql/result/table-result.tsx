import { type Signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { CopyButton } from '../../components/copy-button.tsx'
import { copyText } from '../../components/copy-text.ts'
import { count } from '../../format.ts'
import type { SqlConsole } from '../console.ts'
import type { Execution } from '../run/execution.ts'
import { Bars } from './bars.tsx'
import { type Picture, pictureOf } from './chart-of.ts'
import { Download } from './download.tsx'
import { Grid } from './grid.tsx'
import type { Place } from './grid-keyboard.ts'
import { LineChart } from './line-chart.tsx'
import { nextOrder, type Order, sortRows } from './sort.ts'
import { FailureNote, Status } from './status.tsx'
import { kindOf, textOf, tsvOf } from './values.ts'

/** Wider results are for files. */
const mostColumns = 200

interface TableResultProps {
  execution: Execution
  desk: SqlConsole
}

/** Rows as a table, or as a chart where their shape allows one. */
export function TableResult({ execution, desk }: TableResultProps) {
  const { wantsChart } = desk
  const { answer, rowCount, state, question } = execution
  const sorted = useSignal<Order>()
  const active = useSignal<Place>({ row: -1, column: 0 })
  const columns = useMemo(() => answer.columns.slice(0, mostColumns), [answer.columns])
  const picture = useMemo(
    () => (state === 'running' ? undefined : pictureOf(columns, answer.rows)),
    [state, columns],
  )
  const order = useMemo(() => {
    const { value } = sorted
    return value && sortRows(answer.rows, value, kindOf(columns[value.column]?.type ?? ''))
  }, [sorted.value, rowCount])
  const rowAt = (index: number) => answer.rows[order?.[index] ?? index] ?? []
  const { row, column } = active.value
  const looked = row < 0 ? columns[column]?.name : rowAt(row)[column]
  const cell = textOf(looked ?? '')

  return (
    <>
      <div class="bar">
        <Status execution={execution} />
        <span class="spring" />
        {picture && <ViewSwitch wantsChart={wantsChart} />}
        <CopyButton label="Copy cell" text={() => cell} />
        <CopyButton
          label="Copy all"
          text={() => tsvOf(answer.columns, Array.from(answer.rows.keys(), rowAt))}
        />
        <Download question={question} />
      </div>
      <FailureNote desk={desk} />
      {columns.length < answer.columns.length && (
        <p class="note">
          The first {mostColumns} of {count(answer.columns.length)} columns: a download has all.
        </p>
      )}
      {picture && wantsChart.value ? (
        <PictureOf picture={picture} />
      ) : (
        <>
          <Grid
            columns={columns}
            rows={answer.rows}
            rowCount={rowCount}
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

const PictureOf = ({ picture }: { picture: Picture }) =>
  'spec' in picture ? <LineChart spec={picture.spec} /> : <Bars bars={picture.bars} />

/** Whether a cell cuts it. */
const isLong = (text: string) => text.length > 42 || text.includes('\n')

/** The whole of a value that its cell cuts, with a line per item of lists and maps. */
function Whole({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="whole" tabIndex={0} aria-label={`All of ${name}`}>
      <pre>{text}</pre>
    </section>
  )
}
