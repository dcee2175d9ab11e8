import { hour } from '../../../contract/durations.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { filterOf, type MachineClass, widenedNames } from '../../../contract/market-filter.ts'
import { costFiguresOf, type KnownCosts, netADay } from '../../../estimates/costs.ts'
import { certain, hoursToRent, thinReason } from '../../../estimates/fill-rate.ts'
import {
  type Ask,
  highestKnown,
  incomeCurve,
  outlookAt,
  positionIn,
  pricesFor,
} from '../../../estimates/income-curve.ts'
import type { ClassFlow } from './compared.ts'
import { type NameRates, ratesOf } from './pooled-rates.ts'

type Expected = Pick<
  OwnFigures,
  | 'class'
  | 'position'
  | 'fill_rate'
  | 'hours_to_rent'
  | 'income'
  | 'outlook'
  | 'fill_rates'
  | 'fill_factor'
  | 'gpus_at_once'
  | 'return_rate'
  | 'curve'
  | 'net'
  | 'costs'
  | 'reason'
>

/**
 * The data about a GPU name with the memory of a machine: its flows of seven days, its rates (rateName), the current offers of
 * others, cheapest first, and the costs.
 */
export interface MarketData {
  flows: readonly ClassFlow[]
  name: NameRates
  book: readonly Ask[]
  costs: KnownCosts
  /** The machine's own offers, on average over the mean book. */
  offered: readonly Ask[]
}

/** A null property does not restrict the class. */
type WidenedClass = Omit<{ [Name in keyof MachineClass]: MachineClass[Name] | null }, 'gpu_memory'> &
  Pick<MachineClass, 'gpu_memory'> & { widened: boolean }

/** Classes from the machine's own to all machines of its GPU name and memory: each leaves out one more property. */
function classesOf(machine: MachineClass): WidenedClass[] {
  const classes: WidenedClass[] = [{ ...filterOf(machine), widened: false }]
  for (const name of widenedNames.toReversed())
    classes.push({ ...(classes.at(-1) ?? machine), [name]: null, widened: true })
  return classes
}

/** The expected results of a machine at its price, at prices around it and at `shown` ones, from flows of similar machines. */
export function expectedOf(
  { price, online, ...machine }: MachineClass & { price: number | null; online: boolean },
  known: MarketData,
  shown: readonly number[] = [],
): Expected {
  if (price !== null && online) return expectedAt({ ...machine, price }, known, shown)
  const reason = price === null ? 'not_listed' : 'not_on_market'
  const costs = costFiguresOf({ price, gpus: machine.num_gpus }, null, known.costs)
  return {
    class: null,
    position: null,
    fill_rate: null,
    hours_to_rent: null,
    income: null,
    outlook: null,
    fill_rates: [],
    fill_factor: certain,
    gpus_at_once: null,
    return_rate: null,
    curve: [],
    reason,
    net: null,
    costs,
  }
}

/** The rates and the book that a machine on offer is compared with: from the smallest class with enough data at its position. */
function offerOf(machine: MachineClass & { price: number }, { flows, name, book }: MarketData) {
  const { price, num_gpus: gpus } = machine
  const position = positionIn(price, { book, gpus })
  const classes = classesOf(machine).map((one) => ({ one, rows: flows.filter(isOf(one)) }))
  const chosen = classes.find(({ rows }) => reasonAt(position, rows) === null) ?? classes.at(-1)
  const rates = ratesOf(machine, chosen?.rows ?? [], name)
  return { position, chosen, offer: { book, gpus, rates } }
}

function expectedAt(
  machine: MachineClass & { price: number },
  known: MarketData,
  shown: readonly number[],
): Expected {
  const { flows, name, book, costs, offered } = known
  const { price, num_gpus: gpus } = machine
  const { position, chosen, offer } = offerOf(machine, known)
  const curve = incomeCurve(withPrices(pricesFor(price, gpus, book), shown), offer).map((point) => ({
    ...point,
    net_per_day: point.occupancy && netADay({ price: point.price, gpus }, point.occupancy, costs),
  }))
  const own = curve.find((point) => point.price === price)
  const isDearest = price > highestKnown(book, gpus)
  const reason = isDearest
    ? 'few_as_dear'
    : (reasonAt(position, flows) ?? (name.returns ? null : 'no_returns'))
  const fill_rate = own?.fill_rate ?? null
  const outlook = own?.income ? outlookAt(price, offered, offer) : null
  return {
    class: chosen?.one ?? null,
    position,
    fill_rate,
    hours_to_rent: fill_rate && hoursToRent(fill_rate),
    income: own?.income ?? null,
    outlook,
    ...offer.rates,
    curve,
    reason,
    net: own?.net_per_day ?? null,
    costs: costFiguresOf({ price, gpus }, own?.occupancy ?? null, costs),
  }
}

/** Ascending prices, each once. */
const withPrices = (prices: readonly number[], more: readonly number[]): number[] =>
  [...new Set([...prices, ...more])].sort((one, other) => one - other)

const isOf =
  (of: WidenedClass) =>
  (row: ClassFlow): boolean =>
    widenedNames.every((name) => of[name] === null || row[name] === of[name])

/** The reason why some flows give no rental rate at a position; null: they do. */
function reasonAt(position: number, flows: readonly ClassFlow[]): ReturnType<typeof thinReason> {
  const here = flows.filter((row) => row.position === position)
  const events = here.reduce((sum, row) => sum + row.rented_gpus, 0)
  return thinReason({ events, hours: here.reduce((sum, row) => sum + row.exposed_seconds, 0) / hour })
}
