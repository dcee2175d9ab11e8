import { day, hour } from '../../contract/durations.ts'
import '../components/listing.css'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import type { z } from 'zod'
import type { forecastAnswer, GpuForecast } from '../../contract/forecast.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { requestJson } from '../api/client.ts'
import { newestSlot, simulated } from '../api/freshness.ts'
import { marketPath } from '../api/history.ts'
import { useHistory } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { Status } from '../components/status.tsx'
import { plain } from '../format.ts'
import { key } from '../session.ts'
import type { useView, View } from '../view.ts'
import { fanChart, measures } from './forecast-chart.ts'
import { ForecastRecord } from './forecast-record.tsx'
import { enoughWords, outlookWords } from './forecast-words.ts'
import { WantedFields } from './wanted-fields.tsx'

interface ForecastProps {
  view: View
  change: ReturnType<typeof useView>[1]
  name: string
  /** True if the page already reports an error. */
  isTold: boolean
}

const [past, ahead] = [7 * day, 7 * day]

/** The forecasts of one GPU type as fans behind its past, in words, and with their track record. */
export function Forecast({ view, change, name, isTold }: ForecastProps) {
  const wanted = { gpus: view.need, price: view.most || undefined }
  const filters = filterOf(view)
  const question = { gpu_name: name, ...filters, ...wanted }
  const asked = useQuery({
    // The forecast changes with the hour of the newest slot, not with each slot.
    queryKey: ['forecast', key.value, question, Math.floor(newestSlot.value / hour)],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof forecastAnswer>>(marketPath('forecast', question, 0), { signal }),
    placeholderData: keepPreviousData,
    enabled: name !== '',
  })
  const { data: history } = useHistory({ gpu_name: name, ...filters, start: -past, step: hour }, name !== '')
  const found = asked.data?.gpus[name]
  const now = newestSlot.value
  return (
    <section class="forecast" aria-label="Forecast">
      <h2>Forecast of {name}</h2>
      {!isTold && <Status of={[asked]} hasData={found !== undefined} />}
      <p class="lede">{found && outlookWords(name, found)}</p>
      <div class="charts">
        {measures.map((measure) => (
          <Fan
            key={measure[0]}
            measure={measure}
            name={name}
            view={view}
            history={history}
            found={found}
            from={now - past}
            to={now + ahead}
          />
        ))}
      </div>
      <form class="wanted" aria-label="Will I get them?" onSubmit={(event) => event.preventDefault()}>
        <WantedFields
          view={view}
          change={change}
          placeholder={found?.available.price ? plain(found.available.price) : 'the median'}
        />
        <output aria-live="polite">{found && enoughWords(found.available)}</output>
      </form>
      {found && <ForecastRecord forecast={found} zone={view.zone} />}
    </section>
  )
}

interface FanProps extends Pick<ForecastProps, 'view' | 'name'> {
  measure: (typeof measures)[number]
  history: ReturnType<typeof useHistory>['data']
  found: GpuForecast | undefined
  from: number
  to: number
}

function Fan({ measure, name, view, history, found, from, to }: FanProps) {
  const figures = found?.[measure[0]] ?? noFigures
  const spec = useMemo(
    () => fanChart(measure, name, { history, figures, zone: view.zone, simulated: simulated.value }),
    [measure, name, history, figures, view.zone, simulated.value],
  )
  return <Chart spec={spec} from={from} to={to} height={200} waiting={!history || !found} />
}

const noFigures: never[] = []
