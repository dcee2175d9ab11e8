import { useMemo } from 'preact/hooks'
import { day, hour } from '../../contract/durations.ts'
import { machinesThat } from '../../contract/market-filter.ts'
import { incomeCurve, pricesFor } from '../../estimates/income-curve.ts'
import { simulated } from '../api/freshness.ts'
import { Chart } from '../charts/chart.tsx'
import { useOwnZoom } from '../charts/own-zoom.ts'
import type { Mark } from '../charts/spec.ts'
import { dateTime } from '../format.ts'
import { incomeChart, occupancyChart, priceHistoryChart, pricesBetween } from './charts.ts'
import type { DeskOffer } from './outlook.ts'
import type { Priced } from './priced.ts'

interface DeskChartsProps extends Omit<Priced, 'gpus'> {
  /** undefined: being read. */
  offer: DeskOffer | undefined
  /** The price with the most data around it. */
  base: number
  from: number
  to: number
  marks: Mark[]
}

const month = 30 * day
const noPrices = { timestamps: [], price: [] }

/** The charts of income and occupancy by price, and of the past prices of an own machine. */
export function DeskCharts(props: DeskChartsProps) {
  const { view, name, machine, filters, offer, slot, base, from, to, marks } = props
  const about = useMemo(
    () => ({
      zone: view.zone,
      simulated: simulated.value,
      subject: () => `${name} on ${machinesThat(filters)}; the 7 days before ${dateTime(slot, view.zone)}`,
    }),
    [view.zone, simulated.value, name, JSON.stringify(filters), slot],
  )
  const points = useMemo(
    () => (offer ? incomeCurve(pricesBetween(from, to, pricesFor(base, offer.gpus, offer.book)), offer) : []),
    [offer, from, to, base],
  )
  const markKey = JSON.stringify(marks)
  const income = useMemo(() => incomeChart(name, points, marks, about), [name, points, markKey, about])
  const occupancy = useMemo(() => occupancyChart(name, points, marks, about), [name, points, markKey, about])
  const history = useMemo(
    () =>
      priceHistoryChart(view.machine, (slot > 0 && machine?.figures?.price_history) || noPrices, slot, about),
    [view.machine, machine, slot, about],
  )
  const isKnown = !offer || income.places.length > 0
  // Its place is kept while the machine is being read.
  const hasHistory = !machine || slot - (history.places[0] ?? slot) > hour
  const byPrice = {
    ...useOwnZoom(name, { from, to }),
    waiting: !offer,
    empty: 'Too few observations for an estimate.',
  }
  return (
    <div class="charts">
      {isKnown && <Chart anchor="income" spec={income} {...byPrice} />}
      {isKnown && <Chart anchor="occupancy" spec={occupancy} {...byPrice} />}
      {view.machine > 0 && hasHistory && (
        <Chart
          anchor="history"
          spec={history}
          from={Math.min(slot - month, history.places[0] ?? slot)}
          to={slot}
          waiting={!machine || slot === 0}
          empty="It was not offered in the last 30 days."
        />
      )}
    </div>
  )
}
