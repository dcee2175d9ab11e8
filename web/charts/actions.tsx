import type { Signal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { base } from '../api/client.ts'
import { copyText } from '../components/copy-text.ts'
import { source } from '../source.ts'
import { chartsOnPage, type Drawn } from './on-page.ts'

/** The text with the origin of a picture. */
const place = source === undefined ? base.host : `${base.host}, ${source}`

const files = () => import('./export.ts')

export interface ChartMenuProps {
  drawing: Drawn
  showsTable: Signal<boolean>
  /** The name of the chart on the page. */
  anchor: string | undefined
  curl?: string | undefined
  alertHref?: string | undefined
  onShare?: (() => void) | undefined
}

interface ChartActionsProps extends ChartMenuProps {
  /** The outcome of the last action, in a few words. */
  outcome: Signal<string>
  onClose: () => void
}

/** The entries of the menu of a chart. */
export function ChartActions({ drawing, showsTable, outcome, onClose, ...about }: ChartActionsProps) {
  const { anchor, curl, alertHref, onShare } = about
  const { spec } = drawing
  const [, navigate] = useLocation()

  async function copy(content: string): Promise<void> {
    if (!(await copyText(content))) return void prompt('Copy this:', content)
    outcome.value = 'Copied'
    setTimeout(() => {
      outcome.value = ''
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
    <>
      {actions.map(([label, act]) => (
        <button
          key={label}
          type="button"
          class="plain"
          onClick={async () => {
            onClose()
            try {
              await act()
            } catch {
              outcome.value = 'That failed. Reload the page.'
            }
          }}
        >
          {label}
        </button>
      ))}
    </>
  )
}
