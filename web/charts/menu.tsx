import { type Signal, useSignal } from '@preact/signals'
import { base } from '../api/client.ts'
import { copyText } from '../components/copy-text.ts'
import { Dropdown } from '../components/dropdown.tsx'
import { source } from '../source.ts'
import type { Drawing } from './draw.ts'
import { csvOf, jsonOf, pngOf, save } from './export.ts'

interface ChartMenuProps {
  drawing: Omit<Drawing, 'onCursor' | 'onZoom'>
  showsTable: Signal<boolean>
  curl?: string | undefined
  onShare?: (() => void) | undefined
}

/** The figures of a chart as a table, a file, a picture, a command, or a link. */
export function ChartMenu({ drawing, showsTable, curl, onShare }: ChartMenuProps) {
  const said = useSignal('')
  const { spec } = drawing
  const text = (content: string, type: string) => new Blob([content], { type })

  async function copy(content: string): Promise<void> {
    if (!(await copyText(content))) return void prompt('Copy this:', content)
    said.value = 'Copied'
    setTimeout(() => {
      said.value = ''
    }, 2000)
  }
  type Action = [string, () => unknown]
  const actions: Action[] = [
    [
      showsTable.value ? 'Hide the table' : 'Table',
      () => {
        showsTable.value = !showsTable.value
      },
    ],
    ['CSV', () => save(`${spec.name}.csv`, text(csvOf(spec), 'text/csv'))],
    ['JSON', () => save(`${spec.name}.json`, text(jsonOf(spec), 'application/json'))],
    [
      'PNG',
      async () =>
        save(
          `${spec.name}.png`,
          await pngOf(drawing, source === undefined ? base.host : `${base.host}, ${source}`),
        ),
    ],
    ...(curl ? [['Copy curl', () => copy(curl)] satisfies Action] : []),
    ['Copy link', () => copy(location.href)],
    ...(onShare ? [['Share', onShare] satisfies Action] : []),
  ]

  return (
    <span class="menu">
      <output class="quiet">{said.value}</output>
      <Dropdown label="⋯" name={`${spec.title}: actions`}>
        {(close) =>
          actions.map(([label, act]) => (
            <button
              key={label}
              type="button"
              class="plain"
              onClick={() => {
                close()
                act()
              }}
            >
              {label}
            </button>
          ))
        }
      </Dropdown>
    </span>
  )
}
