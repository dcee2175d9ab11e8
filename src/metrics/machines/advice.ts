import {
  type Ask,
  bestPrice,
  highestKnown,
  hoursToRent,
  incomeCurve,
  positionIn,
  pricesFor,
  thinReason,
} from '../../../contract/fill-rate.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import type { Class, ClassFlow } from './compared.ts'
import { type NameRates, ratesOf } from './pooled-rates.ts'

type Advice = Pick<
  OwnFigures,
  | 'class'
  | 'position'
  | 'fill_rate'
  | 'hours_to_rent'
  | 'income'
  | 'fill_rates'
  | 'return_rate'
  | 'curve'
  | 'best_price'
  | 'reason'
>

/** What is known of a GPU name: its flows of seven days, its rates (rateName), and what others offer now, cheapest first. */
export interface Known {
  flows: readonly ClassFlow[]
  name: NameRates
  book: readonly Ask[]
}

/** From its own class to all machines of the GPU name: each leaves out one property more. */
const classesOf = ({ verified, hosting_type, num_gpus }: Class) => [
  { verified, hosting_type, num_gpus, widened: false },
  { verified, hosting_type, num_gpus: null, widened: true },
  { verified, hosting_type: null, num_gpus: null, widened: true },
  { verified: null, hosting_type: null, num_gpus: null, widened: true },
]

/** What a machine with a price may expect, from what happened to the machines like it. */
export function adviseOn(machine: Class & { price: number }, { flows, name, book }: Known): Advice {
  const { price, num_gpus: gpus } = machine
  const position = positionIn(price, { book, gpus })
  const classes = classesOf(machine).map((one) => ({ one, rows: flows.filter(isOf(one)) }))
  const chosen = classes.find(({ rows }) => reasonAt(position, rows) === null) ?? classes.at(-1)
  const rates = ratesOf(machine, chosen?.rows ?? [], name)
  const curve = incomeCurve(pricesFor(price, gpus, book), { book, gpus, rates })
  const own = curve.find((point) => point.price === price)
  const isDearest = price > highestKnown(book, gpus)
  const reason = isDearest
    ? 'few_as_dear'
    : (reasonAt(position, flows) ?? (name.returns ? null : 'no_returns'))
  const fill_rate = own?.fill_rate ?? null
  return {
    ...{
      class: chosen?.one ?? null,
      position,
      fill_rate,
      hours_to_rent: fill_rate && hoursToRent(fill_rate),
    },
    ...{ income: own?.income ?? null, ...rates, curve, best_price: bestPrice(curve), reason },
  }
}

const isOf =
  (of: ReturnType<typeof classesOf>[number]) =>
  (row: ClassFlow): boolean =>
    (of.verified === null || row.verified === of.verified) &&
    (of.hosting_type === null || row.hosting_type === of.hosting_type) &&
    (of.num_gpus === null || row.num_gpus === of.num_gpus)

/** Why some flows tell no rate of renting at a position; null: they do. */
function reasonAt(position: number, flows: readonly ClassFlow[]): ReturnType<typeof thinReason> {
  const here = flows.filter((row) => row.position === position)
  const events = here.reduce((sum, row) => sum + row.rented_gpus, 0)
  return thinReason({ events, hours: here.reduce((sum, row) => sum + row.exposed_seconds, 0) / 3600 })
}
