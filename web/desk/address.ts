import { type Filters, filterOf } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import { readView, type View, writeView } from '../view.ts'

const addressOf = (changes: Partial<View>): string =>
  `${pages.price}?${writeView({ ...readView(''), ...changes })}`

/** Where an own machine is priced. `zone`: in which times are shown. */
export const deskOfMachine = (machine: number, zone: View['zone']): string => addressOf({ machine, zone })

/** Where a class of machines is priced. */
export const deskOfClass = (gpu: string, filters: Filters, zone: View['zone']): string =>
  addressOf({ ...filtersIn(filters), gpus: [gpu], zone })

/** Filters as a page has them. A value that no page offers, such as an unknown hosting type, leaves no machine out. */
export const filtersIn = (filters: Filters): Pick<View, keyof Filters> =>
  filterOf(readView(`${new URLSearchParams(filterOf(filters))}`))
