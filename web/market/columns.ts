import type { CurrentGpu } from '../../contract/current.ts'
import type { Value } from '../charts/spec.ts'
import { sorted } from '../components/sorting.ts'
import { csvRows } from '../files.ts'
import { count, oneDecimal, percent, price } from '../format.ts'

/** A GPU type in the table of the market. */
export interface MarketTableRow {
  gpu: CurrentGpu
  /** The sizes of memory, GB, if the GPU name has several and none is chosen: the prices then mix several products. */
  sizes: readonly number[]
  /** Median available prices of the last seven days. */
  week: readonly Value[]
  /** Mean hours until a free GPU is rented, over the last seven days; null: too few rentals. */
  hours: Value
  /** The lowest price of a free GPU. With a rig size: of a machine whose GPUs are all free. null: there is none. */
  cheapest: Value
  /** Median minimum bid; null: known for too few machines. */
  bid: Value
  /** The cheapest cloud, on demand. */
  cloud: Value
}

export interface MarketColumn {
  /** The name of the column in the address. */
  name: string
  title: string
  /** The value that the column shows and sorts by. */
  of: (row: MarketTableRow) => string | Value
  write: (value: Value) => string
  /** True if the lowest value is of most interest. */
  fromLowest?: true
  /** The order in which default columns are hidden on narrow screens: 3 first. Without it the column is never hidden. */
  need?: 1 | 2 | 3
}

/** Converts percent into a share of 1. */
export const share = (percents: Value): Value => (percents === null ? null : percents / 100)

/** All columns in their order. */
const columns: readonly MarketColumn[] = [
  { name: 'name', title: 'GPU type', of: ({ gpu }) => gpu.gpu_name, write: String, fromLowest: true },
  { name: 'rented', title: 'Rented median', of: ({ gpu }) => gpu.rented_median, write: price },
  {
    name: 'available',
    title: 'Available median',
    need: 2,
    of: ({ gpu }) => gpu.price_median,
    write: price,
  },
  {
    name: 'cheapest',
    title: 'Cheapest',
    need: 3,
    fromLowest: true,
    of: ({ cheapest }) => cheapest,
    write: price,
  },
  { name: 'p10', title: 'Available p10', need: 1, of: ({ gpu }) => gpu.price_p10, write: price },
  {
    name: 'week',
    title: 'Price change, 7 days',
    of: ({ gpu }) => (gpu.price_thin ? null : share(gpu.price_change_7d)),
    write: percent,
  },
  { name: 'occupancy', title: 'Occupancy', need: 1, of: ({ gpu }) => share(gpu.usage), write: percent },
  { name: 'free', title: 'Free', need: 2, of: ({ gpu }) => gpu.available_gpus, write: count },
  { name: 'hours', title: 'Hours until rented', need: 3, of: ({ hours }) => hours, write: oneDecimal },
  { name: 'bid', title: 'Minimum bid', need: 3, of: ({ bid }) => bid, write: price },
  { name: 'cloud', title: 'Cloud from', need: 1, of: ({ cloud }) => cloud, write: price },
  { name: 'gpus', title: 'GPUs', need: 1, of: ({ gpu }) => gpu.total_gpus, write: count },
]
/** Columns that are hidden by default. The column of clouds is shown by default if the site has list prices. */
const unusual = ['p10', 'bid', 'cloud']

/** Columns whose figures need more than a snapshot, with the time from which they are known. */
const later = new Map([
  ['week', 'after 7 days'],
  ['hours', 'after 5 rentals of a GPU type'],
  ['cheapest', 'with the next snapshots'],
])

/** Columns without a figure in any row. One line takes the place of their dashes. */
export const columnsUnknown = (shown: readonly MarketColumn[], rows: readonly MarketTableRow[]) =>
  shown.flatMap(({ name, title, of }) => {
    const since = later.get(name)
    return since && rows.length > 0 && rows.every((row) => of(row) === null) ? [{ name, title, since }] : []
  })

/** The columns that can be chosen: all except the name. */
export const choosable = columns.slice(1)

export function columnsOf(chosen: readonly string[], hasClouds: boolean): readonly MarketColumn[] {
  const isShown = ({ name }: MarketColumn) =>
    chosen.length > 0
      ? name === 'name' || chosen.includes(name)
      : !unusual.includes(name) || (name === 'cloud' && hasClouds)
  return columns.filter(isShown)
}

/** The choice after a column was added to the shown ones or removed from them. An empty choice means the default. */
export function withColumn(shown: readonly MarketColumn[], name: string): string[] {
  const names = shown.map((column) => column.name)
  const wanted = names.includes(name) ? names.filter((other) => other !== name) : [...names, name]
  return choosable.map((column) => column.name).filter((other) => wanted.includes(other))
}

/** The file of the table: shares of 1, prices in USD per GPU-hour. */
export const csvOf = (shown: readonly MarketColumn[], rows: readonly MarketTableRow[]): string =>
  csvRows([shown.map(({ title }) => title), ...rows.map((row) => shown.map(({ of }) => of(row)))])

/** The rows whose name contains `find`, sorted by a column. A `-` in front of its name puts the highest first. Rows without a figure come last. */
export function rowsShown(rows: readonly MarketTableRow[], find: string, sort: string): MarketTableRow[] {
  const wanted = find.trim().toLowerCase()
  const column = columns.find(({ name }) => name === sort.replace('-', ''))
  const found = rows.filter(({ gpu }) => gpu.gpu_name.toLowerCase().includes(wanted))
  return column ? sorted(found, column.of, sort) : found
}
