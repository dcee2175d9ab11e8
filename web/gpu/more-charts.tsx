import { useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import type { z } from 'zod'
import type { availabilityAnswer } from '../../contract/availability.ts'
import type { depthAnswer } from '../../contract/depth.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { pricesAnswer } from '../../contract/prices.ts'
import type { revenueAnswer } from '../../contract/revenue.ts'
import { simulated } from '../api/freshness.ts'
import { type HistoryQuestion, thisMinute } from '../api/history.ts'
import { keepUnlessOther, marketQuery, type OwnMachine, useMarket } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { useOwnZoom } from '../charts/own-zoom.ts'
import { Status } from '../components/status.tsx'
import { count } from '../format.ts'
import { type useView, useZoom, type View } from '../view.ts'
import { bookOf, pricesShown } from './book.ts'
import { curlOf } from './curl.ts'
import { durationCurveOf } from './duration-curve.ts'
import { heatMapOf } from './heat-map.ts'
import { emptyBook } from './rented-bins.ts'
import { revenueOf } from './revenue.ts'
import { subjectOf } from './subject.ts'
import { WantedForm } from './wanted-form.tsx'

interface MoreChartsProps {
  view: View
  change: ReturnType<typeof useView>[1]
  name: string
  question: HistoryQuestion
  own: readonly OwnMachine[]
  /** The page says already that something is wrong. */
  isTold: boolean
}

/** How many columns a heat map has at most. */
const columns = 120
const noPrices = {
  ...{ timestamps: [], slots: [], edges: [0, 1], available: [[]], rented: [[]] },
  rented_unpriced: [],
}
const noRevenue = { timestamps: [], revpag: [], adr: [], occupancy: [], slots: [] }
const noHours = { hours: 0, share: null, duration: [] }

/** What else there is to know of one GPU type: its book, the prices over time, how often so many could be had, and what they earned. */
export function MoreCharts({ view, change, name, question, own, isTold }: MoreChartsProps) {
  const { book, cells, hours, asked, span, depths, prices, revenues, availabilities } = useAnswers({
    view,
    name,
    question,
  })
  const { from, to, now } = span
  const { zone, side } = view
  const about = useMemo(
    () => ({
      zone,
      simulated: simulated.value,
      subject: subjectOf({ question, start: from, end: to }, zone),
    }),
    [zone, simulated.value, JSON.stringify(question), from, to],
  )
  // The answer about another GPU type has none about this one; one about another number of GPUs is drawn until the next is there.
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
      <h2>The book of {name}</h2>
      <WantedForm
        view={view}
        change={change}
        depth={depths.isPlaceholderData ? undefined : depth}
        availability={availabilities.isPlaceholderData ? undefined : availability}
      />
      {!isTold && <Status of={[depths, prices, revenues, availabilities]} hasData={depth !== undefined} />}
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

/** The answers about one GPU type, with the questions that they answer. */
function useAnswers({ view, name, question }: Pick<MoreChartsProps, 'view' | 'name' | 'question'>) {
  const now = thisMinute()
  const from = question.start < 0 ? now + question.start : question.start
  const to = question.end ?? now
  const asked = { ...question, gpu_name: name, step: undefined }
  const { need, most } = view
  const book = {
    gpu_name: name,
    ...filterOf(view),
    gpus: need,
    per_machine: view.together === 'yes' ? need : 1,
  }
  const hours = { ...asked, gpus: need, price: most || undefined }
  const cells = { ...asked, bins: 30, step: Math.max(1, Math.ceil((to - from) / columns / 3600)) * 3600 }

  const isAsked = name !== ''
  const depths = useMarket<z.infer<typeof depthAnswer>>('depth', book, isAsked)
  const prices = useMarket<z.infer<typeof pricesAnswer>>('prices', cells, isAsked)
  const revenues = useMarket<z.infer<typeof revenueAnswer>>('revenue', asked, isAsked)
  const availabilities = useQuery({
    ...marketQuery<z.infer<typeof availabilityAnswer>>('availability', hours),
    placeholderData: keepUnlessOther(hours, 'price'), // which the price duration curve does not depend on
    enabled: isAsked,
  })
  return { book, cells, hours, asked, span: { from, to, now }, depths, prices, revenues, availabilities }
}
