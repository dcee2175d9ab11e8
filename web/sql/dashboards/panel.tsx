import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { DashboardPanel, SqlChart } from '../../../contract/dashboards.ts'
import { pages } from '../../../contract/pages.ts'
import { present } from '../../clock.ts'
import { clock, count } from '../../format.ts'
import { fragmentOf } from '../editor/draft.ts'
import { rowsText } from '../format.ts'
import { valuesOf } from '../parameters.ts'
import { chartFor } from '../result/chart-choice.ts'
import { pictureOf } from '../result/chart-of.ts'
import { PictureOf } from '../result/picture.tsx'
import { kindOf, textOf } from '../result/values.ts'
import type { Answer } from '../run/answer.ts'
import { createRunner, type Execution } from '../run/execution.ts'
import type { Turns } from './turns.ts'

/** The most rows of a panel's result. The console keeps more. */
const rowsKept = 5000
const rowsShown = 50
const chartHeight = 240

interface PanelProps {
  panel: DashboardPanel
  turns: Turns
  /** The round: a new number runs the query again. */
  round: number
}

/** A result on a dashboard. The earlier result stays until the new query has ended. */
export function Panel({ panel: { name, query, params, chart }, turns, round }: PanelProps) {
  const id = useId()
  const [{ execution, run, cancel }] = useState(() => createRunner(rowsKept))
  const shown = useSignal<Execution>()
  const endedAt = useSignal(0)
  useEffect(() => {
    let isGone = false
    turns(async () => {
      if (isGone) return
      const ended = await run({ query, params })
      if (isGone) return
      shown.value = ended
      endedAt.value = present()
    })
    return () => {
      isGone = true
      cancel()
    }
  }, [query, params, turns, round])
  const isRunning = execution.value?.state === 'running'
  const { value: result } = shown

  return (
    <section class="board-panel" aria-labelledby={id} aria-busy={isRunning || !result}>
      <header>
        <h2 id={id}>{name}</h2>
        <span class="quiet" role="status">
          {isRunning ? 'Running' : result ? stateOf(result, endedAt.value) : 'Waiting for its turn'}
        </span>
        <Link
          href={`${pages.sql}${fragmentOf({ text: query, values: valuesOf({ params }) })}`}
          aria-label={`Open in the console: ${name}`}
        >
          Open
        </Link>
      </header>
      {result && <Content name={name} result={result} chart={chart} />}
    </section>
  )
}

function stateOf({ state, rowCount, answer }: Execution, at: number): string {
  if (state === 'failed') return `Failed at ${clock(at)}`
  const rows = state === 'cut' ? `the first ${count(rowCount)} rows` : rowsText(rowCount)
  return `${answer.text === undefined ? rows : 'text'} at ${clock(at)}`
}

interface ContentProps {
  name: string
  result: Execution
  chart: SqlChart | null
}

function Content({ name, result: { answer, failure, rowCount }, chart }: ContentProps) {
  const { columns, rows, text } = answer
  const picture = useMemo(() => {
    const drawn = chart && chartFor(chart, columns)
    return drawn && rows.length > 0 ? pictureOf(columns, rows, drawn) : undefined
  }, [answer, chart])
  if (failure)
    return (
      <p role="alert" class="failure">
        {failure.message} <strong>Open it in the console to fix it.</strong>
      </p>
    )
  if (text !== undefined) return <pre>{text}</pre>
  if (rowCount === 0) return <p class="quiet">The statement returned no rows.</p>
  return picture ? <PictureOf picture={picture} height={chartHeight} /> : <Rows name={name} answer={answer} />
}

/** The first rows as a table. */
function Rows({ name, answer: { columns, rows } }: { name: string; answer: Answer }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={`Rows of ${name}`}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, type }, column) => (
                <th key={column} scope="col" class={kindOf(type)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rowsShown).map((row, index) => (
              <tr key={index}>
                {row.map((value, column) => (
                  <td key={column} class={kindOf(columns[column]?.type ?? '')}>
                    {value === null ? <span class="quiet">NULL</span> : textOf(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > rowsShown && <p class="note">The first {rowsShown}; the console has all.</p>}
    </>
  )
}
