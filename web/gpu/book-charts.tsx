import { useMemo } from 'preact/hooks'
import type { z } from 'zod'
import { hour } from '../../contract/durations.ts'
import type { pricesAnswer } from '../../contract/prices.ts'
import type { revenueAnswer } from '../../contract/revenue.ts'
import { simulated } from '../api/freshness.ts'
import { type OwnMachine, useMarket } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { useOwnZoom } from '../charts/own-zoom.ts'
import { Status } from '../components/status.tsx'
import { count } from '../format.ts'
import { type useView, useZoom } from '../view.ts'
import { bookOf, emptyBook, pricesShown } from './book.ts'
import { type BookOf, spanOf, useBook } from './book-answers.ts'
import { curlOf } from './curl.ts'
import { durationCurveOf } from './duration-curve.ts'
import { heatMapOf } from './heat-map.ts'
import { revenueOf } from './revenue.ts'
import { subjectOf } from './subject.ts'

interface BookChartsProps extends BookOf {
  change: ReturnType<typeof useView>[1]
  own: readonly OwnMachine[]
  /** True if the page already reports an error. */
  isTold: boolean
}

/** The most columns of a heat map. */
const columns = 120
const noPrices = {
  timestamps: [],
  slots: [],
  edges: [0, 1],
  available: [[]],
  rented: [[]],
  rented_unpriced: [],
  reason: [],
}
const noRevenue = { timestamps: [], revpag: [], adr: [], occupancy: [], reason: [], slots: [] }
const noHours = { hours: 0, share: null, duration: [] }

/** The charts of one GPU type's book: offers by price, prices over time, availability of a number of GPUs, and revenue. */
export function BookCharts({ view, change, name, question, own, isTold }: BookChartsProps) {
  const { book, hours, depths, availabilities } = useBook({ view, name, question })
  const { now, from, to, asked } = spanOf({ view, name, question })
  const cells = { ...asked, bins: 30, step: Math.max(1, Math.ceil((to - from) / columns / hour)) * hour }
  const isAsked = name !== ''
  const prices = useMarket<z.infer<typeof pricesAnswer>>('prices', cells, isAsked)
  const revenues = useMarket<z.infer<typeof revenueAnswer>>('revenue', asked, isAsked)
  const { zone, side } = view
  const about = useMemo(
    () => ({
      zone,
      simulated: simulated.value,
      subject: subjectOf({ question, start: from, end: to }, zone),
    }),
    [zone, simulated.value, JSON.stringify(question), from, to],
  )
  // An answer about another GPU type has no data of this one. An answer about another number of GPUs is shown until the new one has arrived.
  const depth = depths.data?.gpus[name]
  const ownHere = view.mine === 'yes' ? own.filter(({ gpu_name }) => gpu_name === name) : []
  const availability = availabilities.data?.gpus[name]
  const bookSpec = useMemo(
    () => bookOf(name, depth ?? emptyBook, ownHere, about),
    [name, depth, about, own, view.mine],
  )
  const heat = useMemo(
    () => heatMapOf(name, side, prices.data?.gpus[name] ?? noPrices, about),
    [name, side, prices.data, about],
  )
  const revenue = useMemo(
    () => revenueOf(name, revenues.data?.gpus[name] ?? noRevenue, about),
    [name, revenues.data, about],
  )
  const curve = useMemo(
    () => durationCurveOf(name, view.need, availability ?? noHours, about),
    [name, view.need, availability, about],
  )
  const zoom = useZoom([view, change])
  const ownZoom = useOwnZoom(name, pricesShown(depth ?? emptyBook, ownHere))
  const over = { from, to, onZoom: zoom.zoom, onBack: zoom.back }

  return (
    <>
      {!isTold && <Status of={[prices, revenues]} hasData={prices.data !== undefined} />}
      <div class="charts">
        <Chart
          anchor="book"
          spec={bookSpec}
          {...ownZoom}
          waiting={!depth}
          empty="None is on the market now."
          curl={curlOf('depth', book, now)}
        />
        <Chart
          anchor="duration"
          spec={curve}
          from={0}
          to={1}
          waiting={!availability}
          empty={`In no hour of this range ${view.need === 1 ? 'was 1' : `were ${count(view.need)}`} available.`}
          curl={curlOf('availability', hours, now)}
        />
        <Chart
          anchor="prices"
          spec={heat}
          {...over}
          waiting={!prices.data?.gpus[name]}
          curl={curlOf('prices', cells, now)}
        />
        <Chart
          anchor="revenue"
          spec={revenue}
          {...over}
          waiting={!revenues.data?.gpus[name]}
          curl={curlOf('revenue', asked, now)}
        />
      </div>
    </>
  )
}
