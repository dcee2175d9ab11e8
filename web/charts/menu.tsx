import { type Signal, useSignal } from '@preact/signals'
import type { MutableRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { copyText } from '../components/copy-text.ts'
import { csvOf, jsonOf, pngOf, save } from './export.ts'
import type { ChartSpec } from './spec.ts'

interface ChartMenuProps {
  spec: ChartSpec
  plot: MutableRef<uPlot | undefined>
  showsTable: Signal<boolean>
  curl?: string | undefined
}

/** The figures of a chart as a table, a file, a picture, or a command. */
export function ChartMenu({ spec, plot, showsTable, curl }: ChartMenuProps) {
  const said = useSignal('')
  const text = (content: string, type: string) => new Blob([content], { type })

  async function savePicture(): Promise<void> {
    const canvas = plot.current?.ctx.canvas
    if (canvas) save(`${spec.name}.png`, await pngOf(canvas, spec))
  }
  async function copy(curl: string): Promise<void> {
    if (!(await copyText(curl))) return void prompt('Copy this:', curl)
    said.value = 'Copied'
    setTimeout(() => {
      said.value = ''
    }, 2000)
  }

  return (
    <span class="menu">
      <button
        type="button"
        class="plain"
        aria-pressed={showsTable.value}
        onClick={() => (showsTable.value = !showsTable.value)}
      >
        Table
      </button>
      <button
        type="button"
        class="plain"
        onClick={() => save(`${spec.name}.csv`, text(csvOf(spec), 'text/csv'))}
      >
        CSV
      </button>
      <button
        type="button"
        class="plain"
        onClick={() => save(`${spec.name}.json`, text(jsonOf(spec), 'application/json'))}
      >
        JSON
      </button>
      <button type="button" class="plain" onClick={savePicture}>
        PNG
      </button>
      {curl && (
        <button type="button" class="plain" onClick={() => copy(curl)}>
          {said.value || 'curl'}
        </button>
      )}
    </span>
  )
}
