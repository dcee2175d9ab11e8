import { useSignal } from '@preact/signals'
import { lazy, Suspense } from 'preact/compat'
import { useMemo } from 'preact/hooks'
import { pages } from '../../contract/pages.ts'
import type { SharedChart } from '../../contract/shares.ts'
import type { History } from '../api/history.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Chart, chartHeight } from '../charts/chart.tsx'
import { distinct } from '../charts/palette.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { focusOf, type useView, useZoom, type View, writeView } from '../view.ts'
import { chartOf, comparisonOf, metrics } from './charts.ts'
import { curlOf } from './curl.ts'
import { sharedOf } from './shared-of.ts'

// Few visits need it.
const ShareDialog = lazy(async () => (await import('../shares/share-dialog.tsx')).ShareDialog)
const none: never[] = []

interface ChartListProps {
  view: View
  change: ReturnType<typeof useView>[1]
  history: History
  before: History | undefined
  chosen: readonly string[]
  own: readonly OwnMachine[]
  busy: boolean
  /** There is no history yet: the charts have their places only. */
  waiting: boolean
}

/** The charts of a view over one history. */
export function ChartList({ view, change, history, before, chosen, own, busy, waiting }: ChartListProps) {
  const { layout, metric, unit, side, score, zone, axis } = view
  const focus = focusOf(view, chosen)
  const names = chosen.join()
  const mine = view.mine === 'yes' ? own : none
  const specs = useMemo((): ChartSpec[] => {
    const market = { history, before, options: { unit, side, score, zone, axis } }
    if (layout === 'grid') return chosen.map((name) => ({ ...chartOf(market, metric, name), title: name }))
    if (layout === 'compare') return metrics.map(([each]) => comparisonOf(market, each, chosen))
    const here = mine.filter(({ gpu_name }) => gpu_name === focus)
    return metrics.map(([each]) => chartOf(market, each, focus, here))
  }, [history, before, names, layout, metric, unit, side, score, zone, axis, focus, mine])

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
  const sharing = useSignal<SharedChart | undefined>(undefined)
  const asked = { ...history.question, gpu_name: layout === 'one' ? focus : history.question.gpu_name }

  return (
    <>
      {layout === 'compare' && chosen.length > distinct && (
        <p class="note">
          The first {distinct} of {chosen.length} types. Side by side shows all.
        </p>
      )}
      <div class={`charts ${layout}`} aria-busy={busy}>
        {specs.map((spec, index) => (
          <Chart
            key={layout === 'grid' ? spec.title : metrics[index]?.[0]}
            spec={spec}
            from={Math.min(history.start, spec.places[0] ?? history.start)}
            to={history.end}
            height={layout === 'grid' ? 130 : chartHeight}
            waiting={waiting}
            small={layout === 'grid'}
            hidden={layout === 'grid' ? none : view.hidden}
            onZoom={zoom}
            onBack={back}
            {...(layout === 'grid'
              ? {
                  curl: curlOf('history', { ...asked, gpu_name: spec.title }, history.end),
                  href: `${pages.charts}?${writeView({ ...view, layout: 'one', focus: spec.title, ...(view.gpus[0] === 'all' && { gpus: [spec.title] }) })}`,
                }
              : {
                  anchor: metrics[index]?.[0] ?? '',
                  onToggle: toggle,
                  curl: curlOf('history', asked, history.end),
                  onShare() {
                    sharing.value = sharedOf(view, metrics[index]?.[0] ?? 'price', {
                      ...asked,
                      gpu_name: layout === 'one' ? focus : chosen.slice(0, distinct).join(),
                    })
                  },
                })}
          />
        ))}
      </div>
      {sharing.value && (
        <Suspense fallback={null}>
          <ShareDialog
            chart={sharing.value}
            onClose={() => {
              sharing.value = undefined
            }}
          />
        </Suspense>
      )}
    </>
  )
}
