import { useMemo } from 'preact/hooks'
import { pages } from '../../contract/pages.ts'
import { Chart } from '../charts/chart.tsx'
import { InTurns } from '../components/in-turns.tsx'
import { useZoom, type View, writeView } from '../view.ts'
import type { ChartListProps } from './chart-list.tsx'
import { chartOf } from './charts.ts'
import { curlOf } from './curl.ts'

/** The number of charts that fit on about one screen. */
const few = 9

type SmallChartsProps = Pick<ChartListProps, 'view' | 'change' | 'history' | 'chosen' | 'busy' | 'waiting'>

/** One metric of many GPU types, each in a small chart that links to its page. */
export function SmallCharts({ view, change, chosen, busy, ...shown }: SmallChartsProps) {
  const { zoom, back } = useZoom([view, change])
  return (
    <div class="charts grid" aria-busy={busy}>
      <InTurns items={chosen} few={few} waits={shown.waiting}>
        {(name) => <SmallChart key={name} name={name} view={view} zoom={zoom} back={back} {...shown} />}
      </InTurns>
    </div>
  )
}

interface SmallChartProps extends Pick<ChartListProps, 'view' | 'history' | 'waiting'> {
  name: string
  zoom: (from: number, to: number) => void
  back: () => void
}

function SmallChart({ name, view, history, waiting, zoom, back }: SmallChartProps) {
  const { metric, unit, side, score, zone, axis } = view
  const spec = useMemo(
    () => ({
      ...chartOf({ history, options: { unit, side, score, zone, axis } }, metric, name),
      title: name,
    }),
    [history, name, metric, unit, side, score, zone, axis],
  )
  return (
    <Chart
      spec={spec}
      from={Math.min(history.start, spec.places[0] ?? history.start)}
      to={history.end}
      height={130}
      waiting={waiting}
      small
      onZoom={zoom}
      onBack={back}
      curl={curlOf('history', { ...history.question, gpu_name: name }, history.end)}
      href={`${pages.charts}?${writeView(detailOf(view, name))}`}
    />
  )
}

/** The view of one GPU type. It keeps the other chosen types, except the choice of all. */
const detailOf = (view: View, name: string): View => ({
  ...view,
  layout: 'one',
  focus: name,
  ...(view.gpus[0] === 'all' && { gpus: [name] }),
})
