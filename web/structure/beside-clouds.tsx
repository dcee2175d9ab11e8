import { useMemo } from 'preact/hooks'
import { day } from '../../contract/durations.ts'
import { cloudNameOf } from '../../contract/gpu-types.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { simulated } from '../api/freshness.ts'
import { thisMinute } from '../api/history.ts'
import type { ListPrices } from '../api/list-prices.ts'
import { useHistory, useMarket } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { cloudChart } from '../elsewhere/chart.ts'
import { ranges, type View } from '../view.ts'

const asked = { start: -ranges['90d'], step: day }

/** The prices of this market beside the list prices of clouds, over 90 days. Nothing where no cloud has the GPU type. */
export function BesideClouds({ view, gpu }: { view: View; gpu: string }) {
  const name = cloudNameOf(gpu)
  const cloud = useMarket<ListPrices>('list-prices', { gpu_name: name, ...asked })
  const found = cloud.data?.gpus[name]
  const hasClouds = (found?.series.length ?? 0) > 0
  const history = useHistory({ gpu_name: gpu, ...filterOf(view), ...asked }, hasClouds)
  const spec = useMemo(
    () => cloudChart(gpu, found, history.data, { spot: false, zone: view.zone, simulated: simulated.value }),
    [found, history.data, gpu, view.zone, simulated.value],
  )
  if (!hasClouds) return null
  const now = thisMinute()
  return (
    <div class="charts">
      <Chart
        spec={spec}
        from={now - ranges['90d']}
        to={now}
        waiting={!history.data}
        empty="No price is known for this time."
      />
    </div>
  )
}
