import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { History } from '../api/history.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { distinct } from '../charts/palette.ts'
import type { Mark } from '../charts/spec.ts'
import { dialogOnDemand } from '../components/dialog-on-demand.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { focusOf, type useView, useZoom, type View } from '../view.ts'
import { alertOf } from './alert-of.ts'
import { chartOf, comparisonOf, metrics } from './charts.ts'
import { curlOf } from './curl.ts'
import type { Shown } from './shared-of.ts'

// Loaded on demand, since few visits need it.
const ShareDialog = dialogOnDemand(async () => (await import('../shares/share-dialog.tsx')).ShareDialog)
const EventMarks = onDemand(async () => (await import('./event-marks.tsx')).EventMarks)
const none: never[] = []

/** The lines of own prices, loaded after the first charts. */
function useOwnPrices(isWanted: boolean) {
  const [loaded, setLoaded] = useState<typeof import('./own-prices.ts')>()
  useEffect(() => {
    if (isWanted) import('./own-prices.ts').then(setLoaded, () => {}) // read again with the next page
  }, [isWanted])
  return loaded?.ownPrices
}

export interface ChartListProps {
  view: View
  change: ReturnType<typeof useView>[1]
  history: History
  before: History | undefined
  chosen: readonly string[]
  own: readonly OwnMachine[]
  busy: boolean
  /** True while the history is being read: the charts have only their places. */
  waiting: boolean
  /** True once the first charts are drawn. */
  isLater: boolean
}

/** The charts of one GPU type, or of several in comparison, from one history. */
export function ChartList({
  view,
  change,
  history,
  before,
  chosen,
  own,
  busy,
  waiting,
  isLater,
}: ChartListProps) {
  const { layout, unit, side, score, zone, axis } = view
  const focus = focusOf(view, chosen)
  const names = chosen.join()
  const mine = view.mine === 'yes' ? own : none
  const [marks, setMarks] = useState<Mark[]>(none)
  const ownPrices = useOwnPrices(mine.length > 0)
  const charts = useMemo(() => {
    const market = { history, before, options: { unit, side, score, zone, axis } }
    const here = mine.filter(({ gpu_name }) => gpu_name === focus)
    return metrics.map(([metric]) => {
      const spec =
        layout === 'compare'
          ? comparisonOf(market, metric, chosen)
          : chartOf(market, metric, focus, ownPrices && ((places) => ownPrices(here, places)))
      return {
        metric,
        spec: metric === 'price' ? { ...spec, marks: [...(spec.marks ?? none), ...marks] } : spec,
      }
    })
  }, [history, before, names, layout, unit, side, score, zone, axis, focus, mine, marks, ownPrices])

  const toggle = (group: string) =>
    change(
      {
        hidden: view.hidden.includes(group)
          ? view.hidden.filter((name) => name !== group)
          : [...view.hidden, group],
      },
      { replace: true },
    )
  const { zoom, back } = useZoom([view, change])
  const sharing = useSignal<Shown | undefined>(undefined)
  const asked = { ...history.question, gpu_name: layout === 'one' ? focus : history.question.gpu_name }

  return (
    <>
      {layout === 'compare' && chosen.length > distinct && (
        <p class="note">
          The first {distinct} of {chosen.length} types. Side by side shows all.
        </p>
      )}
      <div class={`charts ${layout}`} aria-busy={busy}>
        {charts.map(({ metric, spec }) => (
          <Chart
            key={metric}
            spec={spec}
            from={Math.min(history.start, spec.places[0] ?? history.start)}
            to={history.end}
            height={metric === 'price' ? 300 : undefined}
            waiting={waiting}
            hidden={view.hidden}
            onToggle={toggle}
            onZoom={zoom}
            onBack={back}
            anchor={metric}
            alertHref={layout === 'one' ? alertOf(view, metric, focus) : undefined}
            curl={curlOf('history', asked, history.end)}
            onShare={() => {
              const gpu_name = layout === 'one' ? focus : chosen.slice(0, distinct).join()
              sharing.value = { view, metric, question: { ...asked, gpu_name } }
            }}
          />
        ))}
      </div>
      {layout === 'one' && isLater && (
        <EventMarks name={focus} history={history} zone={zone} onMarks={setMarks} />
      )}
      {sharing.value && (
        <ShareDialog
          of={sharing.value}
          onClose={() => {
            sharing.value = undefined
          }}
        />
      )}
    </>
  )
}
