import '../components/figure.css'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { z } from 'zod'
import type { depthAnswer } from '../../contract/depth.ts'
import { week } from '../../contract/durations.ts'
import type { fillAnswer } from '../../contract/fill.ts'
import type { GpuHistory } from '../../contract/history.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { type History, historyOf } from '../api/history.ts'
import { useMachineList } from '../api/machines.ts'
import { useMarket } from '../api/queries.ts'
import { change, count, oneDecimal, percent, price } from '../format.ts'
import type { View } from '../view.ts'
import { alertOf } from './alert-of.ts'
import { pulseOf, rentedAt } from './pulse.ts'

interface FocusFiguresProps {
  view: View
  name: string
  /** The history of this GPU over 8 days, by the hour. */
  history: History | undefined
  isStale: boolean
}

/** The newest figures of one GPU type, each with its comparison. A figure that is not known is left out. */
export function FocusFigures({ view, name, history, isStale }: FocusFiguresProps) {
  const filter = filterOf(view)
  const wanted = Number(view.num_gpus) || 1
  const fill = useMarket<z.infer<typeof fillAnswer>>('fill', { gpu_name: name, ...filter })
  const book = useMarket<z.infer<typeof depthAnswer>>('depth', {
    gpu_name: name,
    ...filter,
    gpus: wanted,
    per_machine: wanted,
  })
  const gpu = history && historyOf(history, name)
  const pulse = gpu && pulseOf(gpu, history.hasRentals)
  const hours = fill.data?.gpus[name]?.all.hours_to_rent ?? null
  const cheapest = book.data?.gpus[name]?.cheapest?.marginal_price ?? null
  if (gpu && pulse?.gpus === 0)
    return <p class="card pad quiet now">None of these machines is on the market now.</p>
  const past = gpu && weekOf(gpu)
  const { rented, available, occupancy } = pulse ?? {}
  return (
    <dl class="figures now" aria-label="Now" aria-busy={isStale || !pulse}>
      {rented?.median !== null && (
        <Figure title="Rented median" lead={price(rented?.median)}>
          {rented?.week == null ? 'USD per GPU-hour' : `${change(rented.week)} in 7 days`}
        </Figure>
      )}
      {available !== null && (
        <Figure title="Available median" lead={price(available)}>
          {cheapest === null ? 'USD per GPU-hour' : `cheapest ${price(cheapest)}`}
        </Figure>
      )}
      {occupancy !== null && (
        <Figure title="Occupancy" lead={percent(occupancy)}>
          {past?.occupancy != null && `7 days: ${percent(past.occupancy)}`}
        </Figure>
      )}
      <Figure title="GPUs" lead={count(pulse?.gpus)}>
        {past && pulse && freeWords(pulse.gpus, past, history.hasRentals)}
      </Figure>
      {(hours !== null || fill.isPending) && (
        <Figure title="Hours until rented" lead={oneDecimal(hours)}>
          mean of 7 days
        </Figure>
      )}
    </dl>
  )
}

/** The number of own machines of a GPU type, and the way to an alert on it. */
export function FocusActions({ view, name }: Pick<FocusFiguresProps, 'view' | 'name'>) {
  const own = useMachineList().data?.machines.filter(({ gpu_name }) => gpu_name === name).length ?? 0
  return (
    <>
      {own > 0 && <span class="quiet">{own} of your machines</span>}
      <Link class="outline" role="button" href={alertOf(view, 'price', name) ?? ''}>
        Tell me when…
      </Link>
    </>
  )
}

interface FigureProps {
  title: string
  lead: string
  children: ComponentChildren
}

// Without the definition of its name: this script is loaded right after the charts, and stays small.
const Figure = ({ title, lead, children }: FigureProps) => (
  <div>
    <dt>{title}</dt>
    <dd>
      <strong>{lead}</strong>
      <span class="quiet">{children}</span>
    </dd>
  </div>
)

interface Week {
  /** The share of GPU-hours that were rented. */
  occupancy: number | null
  free: number
  /** The number of GPUs a week ago; undefined: not known. */
  before: number | undefined
}

/** The figures of the last seven days. */
export function weekOf({ pricing: { timestamps }, supply_demand: counts }: GpuHistory): Week {
  const last = timestamps.length - 1
  const since = (timestamps[last] ?? 0) - week
  let [rented, total] = [0, 0]
  for (const [index, time] of timestamps.entries()) {
    if (time <= since) continue
    rented += rentedAt(counts, index)
    total += counts.total_gpus[index] ?? 0
  }
  return {
    occupancy: total > 0 ? rented / total : null,
    free: (counts.total_gpus[last] ?? 0) - rentedAt(counts, last),
    before: counts.total_gpus[timestamps.indexOf(since)],
  }
}

function freeWords(gpus: number, { free, before }: Week, hasRentals: boolean): string {
  const moved = before === undefined ? 0 : gpus - before
  const words = [
    hasRentals && `${count(free)} free`,
    before !== undefined && `${moved < 0 ? '−' : '+'}${count(Math.abs(moved))} in a week`,
  ]
  return words.filter(Boolean).join(', ')
}
