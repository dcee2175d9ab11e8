import type { Filters } from '../../contract/market-filter.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { View } from '../view.ts'

/** The machine or the class that is priced. */
export interface Priced {
  view: View
  /** The GPU name; empty: not known yet. */
  name: string
  machine: OwnMachine | undefined
  /** The machines whose rates are used. */
  filters: Filters
  /** The machines whose prices are shown: medians, counts and the book now. */
  shown: Filters
  gpus: number
  /** The newest snapshot, unix seconds; 0: not known yet. */
  slot: number
}
