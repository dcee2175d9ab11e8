import './shares.css'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { SharedChart } from '../../contract/shares.ts'
import type { ApiFailure } from '../api/client.ts'
import { base } from '../api/client.ts'
import type { History } from '../api/history.ts'
import { Chart } from '../charts/chart.tsx'
import type { ChartSpec } from '../charts/spec.ts'
import { Notice } from '../components/notice.tsx'
import { Status } from '../components/status.tsx'
import { dateTime } from '../format.ts'
import { chartOf, comparisonOf } from '../gpu/charts.ts'
import { useShared } from './api.ts'

/** A shared chart alone on its page, also in a frame of another site. The page uses no key. */
export function SharedPage() {
  const query = useShared(new URLSearchParams(location.search).get('chart') ?? '')
  const { data, error } = query
  const spec = useMemo(() => data && specOf(data), [data])
  const source = new URLSearchParams(data?.chart.query).get('source')
  const height = useHeight()
  useEffect(() => {
    document.title = `${spec?.title ?? 'Shared chart'} – rackrate`
  }, [spec])
  if ((error as ApiFailure | null)?.status === 404)
    return (
      <Notice title="No chart">This link is unknown or no longer works. Ask its owner for a new one.</Notice>
    )
  return (
    <main id="content" class="shared" aria-busy={!data}>
      <h1 class="unseen">{spec?.title ?? 'Shared chart'}</h1>
      <Status of={[query]} hasData={data !== undefined} />
      {data && spec && (
        <>
          <Chart
            spec={spec}
            from={Math.min(data.history.start, spec.places[0] ?? data.history.start)}
            to={data.history.end}
            height={height}
          />
          <p class="note">
            {spec.subject?.()}. {spec.simulated && <strong>Simulated market. </strong>}Source:{' '}
            <a href={base.href} target="_blank" rel="noopener">
              rackrate
            </a>
            {source && ` (${source})`}
            {data.history.newestSlot > 0 && `, as of ${dateTime(data.history.newestSlot, spec.zone)}`}
          </p>
        </>
      )}
    </main>
  )
}

function specOf({ chart, history }: { chart: SharedChart; history: History }): ChartSpec {
  const market = { history, options: chart }
  const names = Object.keys(history.gpus)
  return names.length === 1
    ? chartOf(market, chart.metric, names[0] ?? '')
    : comparisonOf(market, chart.metric, names)
}

/** The height of the plot: the height of the frame without the elements around the plot. */
function useHeight(): number {
  const heightNow = () => Math.max(140, Math.min(520, innerHeight - 200))
  const height = useSignal(heightNow())
  useEffect(() => {
    const onResize = () => {
      height.value = heightNow()
    }
    addEventListener('resize', onResize)
    return () => removeEventListener('resize', onResize)
  }, [])
  return height.value
}
