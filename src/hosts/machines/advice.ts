import type { OwnFigures } from '../../../contract/machines.ts'
import { filterOf, type MachineClass, widenedNames } from '../../../contract/market-filter.ts'
import { adviceWords, type NoIncome } from '../../../estimates/advice-words.ts'
import { costFiguresOf, type KnownCosts, marginOf, netADay } from '../../../estimates/costs.ts'
import { certain, hoursToRent, thinReason } from '../../../estimates/fill-rate.ts'
import {
  type Ask,
  highestKnown,
  incomeCurve,
  outlookAt,
  positionIn,
  pricesFor,
} from '../../../estimates/income-curve.ts'
import { type Decision, decide, noDecision } from '../../../estimates/price-advice.ts'
import type { ClassFlow } from './compared.ts'
import { type NameRates, ratesOf } from './pooled-rates.ts'

type Advice = Pick<
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
  | 'advice'
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

/** The expected results of a machine, and the advice on its price, from flows of similar machines. */
export function adviseOn(
  { price, online, ...machine }: MachineClass & { price: number | null; online: boolean },
  known: MarketData,
): Advice {
  if (price !== null && online) return adviseAt({ ...machine, price }, known)
  const reason = price === null ? 'not_listed' : 'not_on_market'
  const costs = costFiguresOf({ price, gpus: machine.num_gpus }, null, known.costs)
  const basis = costs.floor === null ? 'gross' : 'net'
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
    advice: inWords({ ...noDecision, basis }, reason),
  }
}

/** The rates and the book that a machine on offer is compared with: from the smallest class with enough data at its position. */
export function offerOf(machine: MachineClass & { price: number }, { flows, name, book, costs }: MarketData) {
  const { price, num_gpus: gpus } = machine
  const position = positionIn(price, { book, gpus })
  const classes = classesOf(machine).map((one) => ({ one, rows: flows.filter(isOf(one)) }))
  const chosen = classes.find(({ rows }) => reasonAt(position, rows) === null) ?? classes.at(-1)
  const rates = ratesOf(machine, chosen?.rows ?? [], name)
  return { position, chosen, offer: { book, gpus, rates, margin: marginOf(costs, gpus) } }
}

function adviseAt(machine: MachineClass & { price: number }, known: MarketData): Advice {
  const { flows, name, book, costs, offered } = known
  const { price, num_gpus: gpus } = machine
  const { position, chosen, offer } = offerOf(machine, known)
  const curve = incomeCurve(pricesFor(price, gpus, book), offer).map((point) => ({
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
    advice: inWords(decide(price, offer), reason),
  }
}

function inWords(decision: Decision, noIncome: NoIncome | null): OwnFigures['advice'] {
  const { verdict, price, end_price, basis, gain_per_day } = decision
  return { verdict, price, end_price, basis, gain_per_day, reason: adviceWords(decision, noIncome) }
}

const isOf =
  (of: WidenedClass) =>
  (row: ClassFlow): boolean =>
    widenedNames.every((name) => of[name] === null || row[name] === of[name])

/** The reason why some flows give no rental rate at a position; null: they do. */
function reasonAt(position: number, flows: readonly ClassFlow[]): ReturnType<typeof thinReason> {
  const here = flows.filter((row) => row.position === position)
  const events = here.reduce((sum, row) => sum + row.rented_gpus, 0)
  return thinReason({ events, hours: here.reduce((sum, row) => sum + row.exposed_seconds, 0) / 3600 })
}
