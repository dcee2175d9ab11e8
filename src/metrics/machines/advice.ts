import {
  type Ask,
  bestPrice,
  type Counted,
  type Estimate,
  fillRateOf,
  hoursToRent,
  type IncomePoint,
  incomeCurve,
  positionOf,
  positions,
  pricesFor,
  rateOf,
  thinReason,
} from '../../../contract/fill-rate.ts'
import type { OwnFigures } from '../../../contract/machines.ts'

/** A row of machines/class_flows.sql. */
export interface ClassFlow {
  gpu_name: string
  num_gpus: number
  verified: boolean
  hosting_type: string
  position: number
  exposed_seconds: number
  rented_gpus: number
  held_seconds: number
  returned_gpus: number
}

export type Class = Pick<ClassFlow, 'gpu_name' | 'num_gpus' | 'verified' | 'hosting_type'>

type Advice = Pick<
  OwnFigures,
  'class' | 'position' | 'fill_rate' | 'hours_to_rent' | 'income' | 'curve' | 'best_price' | 'reason'
>

/** From its own class to all machines of the GPU name: each leaves out one property more. */
const classesOf = ({ verified, hosting_type, num_gpus }: Class) => [
  { verified, hosting_type, num_gpus, widened: false },
  { verified, hosting_type, num_gpus: null, widened: true },
  { verified, hosting_type: null, num_gpus: null, widened: true },
  { verified: null, hosting_type: null, num_gpus: null, widened: true },
]

/** What a machine with a price may expect, from what happened to the machines like it. `book`: what others offer now, cheapest first. */
export function adviseOn(
  machine: Class & { price: number },
  flows: readonly ClassFlow[],
  book: readonly Ask[],
): Advice {
  const { price, num_gpus: gpus } = machine
  const position = positionAt(price, gpus, book)
  const tried = classesOf(machine).map((one) => ({ class: one, ...ratesOf(one, flows, position) }))
  const chosen = tried.find(({ reason }) => reason === null) ?? tried.at(-1)
  const nothing = {
    class: null,
    fill_rate: null,
    hours_to_rent: null,
    income: null,
    curve: [],
    best_price: null,
  }
  if (!chosen) return { ...nothing, position, reason: 'little_exposure' }
  const { fills, back, reason } = chosen
  const fill = fills[position] ?? null
  const offer = back && { book, gpus, own: price, fills, back }
  const curve = offer ? incomeCurve(pricesFor(price, gpus, book), offer) : []
  const [own] = offer ? incomeCurve([price], offer) : []
  return {
    class: chosen.class,
    position,
    fill_rate: fill,
    hours_to_rent: fill && hoursToRent(fill),
    income: own?.income ?? null,
    curve: curve.map(({ price, position, occupancy, income }: IncomePoint) => ({
      price,
      position,
      occupancy,
      income,
    })),
    best_price: bestPrice(curve),
    reason,
  }
}

/** The rates of a class by position, and why the one at a position is not known. */
function ratesOf(
  of: Omit<Class, 'gpu_name' | 'verified' | 'hosting_type' | 'num_gpus'> & {
    [Property in 'verified' | 'hosting_type' | 'num_gpus']: Class[Property] | null
  },
  flows: readonly ClassFlow[],
  position: number,
): { fills: (Estimate | null)[]; back: Estimate | null; reason: OwnFigures['reason'] } {
  const rows = flows.filter(
    (row) =>
      (of.verified === null || row.verified === of.verified) &&
      (of.hosting_type === null || row.hosting_type === of.hosting_type) &&
      (of.num_gpus === null || row.num_gpus === of.num_gpus),
  )
  const counted = Array.from({ length: positions }, (_, at): Counted => {
    const here = rows.filter((row) => row.position === at)
    return { events: sumOf(here, 'rented_gpus'), hours: sumOf(here, 'exposed_seconds') / 3600 }
  })
  const back = rateOf({ events: sumOf(rows, 'returned_gpus'), hours: sumOf(rows, 'held_seconds') / 3600 })
  const thin = thinReason(counted[position] ?? { events: 0, hours: 0 })
  return { fills: counted.map(fillRateOf), back, reason: thin ?? (back ? null : 'no_returns') }
}

const sumOf = (
  rows: readonly ClassFlow[],
  what: 'exposed_seconds' | 'rented_gpus' | 'held_seconds' | 'returned_gpus',
) => rows.reduce((sum, row) => sum + row[what], 0)

function positionAt(price: number, gpus: number, book: readonly Ask[]): number {
  const all = book.reduce((sum, ask) => sum + ask.gpus, gpus)
  const cheaper = book.reduce((sum, ask) => sum + (ask.price < price ? ask.gpus : 0), 0)
  return positionOf(cheaper, all)
}
