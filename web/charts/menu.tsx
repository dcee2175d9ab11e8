import { type Signal, useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { base } from '../api/client.ts'
import { copyText } from '../components/copy-text.ts'
import { Dropdown } from '../components/dropdown.tsx'
import { source } from '../source.ts'
import { chartsOnPage, type Drawn } from './on-page.ts'

/** Where a picture is from. */
const place = source === undefined ? base.host : `${base.host}, ${source}`

/** Loaded when it is wanted: most visits take no figures away. */
const files = () => import('./export.ts')

interface ChartMenuProps {
  drawing: Drawn
  showsTable: Signal<boolean>
  /** Its name on the page. */
  anchor: string | undefined
  curl?: string | undefined
  alertHref?: string | undefined
  onShare?: (() => void) | undefined
}

/** The figures of a chart as a table, a file, a picture, a command, or a link. */
export function ChartMenu({ drawing, showsTable, anchor, curl, alertHref, onShare }: ChartMenuProps) {
  const said = useSignal('')
  const { spec } = drawing
  const [, navigate] = useLocation()

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
    ['CSV', async () => (await files()).saveCsv(spec)],
    ['JSON', async () => (await files()).saveJson(spec)],
    ['PNG', async () => (await files()).savePng(drawing, place)],
    ['PNG of all charts', async () => (await files()).savePngOf(chartsOnPage(), place)],
    ...(curl ? [['Copy curl', () => copy(curl)] satisfies Action] : []),
    ['Copy link', () => copy(anchor ? new URL(`#${anchor}`, location.href).href : location.href)],
    ...(alertHref ? [['Alert me', () => navigate(alertHref)] satisfies Action] : []),
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
              onClick={async () => {
                close()
                try {
                  await act()
                } catch {
                  said.value = 'That failed. Reload the page.'
                }
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
