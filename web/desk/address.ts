import { type Filters, filterOf } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import { readView, type View, writeView } from '../view.ts'

const addressOf = (changes: Partial<View>): string =>
  `${pages.price}?${writeView({ ...readView(''), ...changes })}`

/** The address of the price desk for an own machine. `zone`: the time zone of times on the page. */
export const deskOfMachine = (machine: number, zone: View['zone']): string => addressOf({ machine, zone })

/** The address of the price desk for a class of machines. */
export const deskOfClass = (gpu: string, filters: Filters, zone: View['zone']): string =>
  addressOf({ ...filtersIn(filters), gpus: [gpu], zone })

/** The filters of a class in the form of the page. A value that no page offers, such as an unknown hosting type, becomes "all". */
export const filtersIn = (filters: Filters): Pick<View, keyof Filters> =>
  filterOf(readView(`${new URLSearchParams(filterOf(filters))}`))
