import type { CurrentGpu } from '../../contract/current.ts'
import type { Value } from '../charts/spec.ts'
import { sorted } from '../components/sorting.ts'
import { count, oneDecimal, percent, priceInColumn } from '../format.ts'

/** A GPU type in the table of the market. */
export interface MarketTableRow {
  gpu: CurrentGpu
  /** Median available prices of the last seven days. */
  week: readonly Value[]
  /** Mean hours until a free GPU is rented, of the last seven days; null: too few rentals to say. */
  hours: Value
  /** Median minimum bid; null: it is not known of enough machines. */
  bid: Value
  /** The cheapest cloud, on demand. */
  cloud: Value
}

export interface MarketColumn {
  /** Its name in the address. */
  name: string
  title: string
  /** What it is sorted by, and shows. */
  of: (row: MarketTableRow) => string | Value
  write: (value: Value) => string
}

const share = (percents: Value): Value => (percents === null ? null : percents / 100)

const columns: readonly MarketColumn[] = [
  { name: 'name', title: 'GPU', of: ({ gpu }) => gpu.gpu_name, write: String },
  { name: 'rented', title: 'Rented median', of: ({ gpu }) => gpu.rented_median, write: priceInColumn },
  { name: 'available', title: 'Available median', of: ({ gpu }) => gpu.price_median, write: priceInColumn },
  { name: 'week', title: 'Available, 7 days', of: ({ gpu }) => share(gpu.price_change_7d), write: percent },
  { name: 'occupancy', title: 'Occupancy', of: ({ gpu }) => share(gpu.usage), write: percent },
  { name: 'free', title: 'Free GPUs', of: ({ gpu }) => gpu.available_gpus, write: count },
  { name: 'hours', title: 'Hours to rent', of: ({ hours }) => hours, write: oneDecimal },
  { name: 'bid', title: 'Minimum bid', of: ({ bid }) => bid, write: priceInColumn },
  { name: 'gpus', title: 'All GPUs', of: ({ gpu }) => gpu.total_gpus, write: count },
]

const cloud: MarketColumn = {
  name: 'cloud',
  title: 'Cloud from',
  of: (row) => row.cloud,
  write: priceInColumn,
}

/** The columns of a site, which may read no catalog of clouds. */
export const columnsOf = (rows: readonly MarketTableRow[]): readonly MarketColumn[] =>
  rows.some((row) => row.cloud !== null) ? [...columns.slice(0, -1), cloud, ...columns.slice(-1)] : columns

/** The rows whose name contains `find`, by a column: `-` in front of its name puts the highest first. What has no figure comes last. */
export function rowsShown(rows: readonly MarketTableRow[], find: string, sort: string): MarketTableRow[] {
  const wanted = find.trim().toLowerCase()
  const column = columnsOf(rows).find(({ name }) => name === sort.replace('-', ''))
  const found = rows.filter(({ gpu }) => gpu.gpu_name.toLowerCase().includes(wanted))
  return column ? sorted(found, column.of, sort) : found
}
