import type { Value } from '../charts/spec.ts'
import { sorted } from '../components/sorting.ts'
import type { FleetRow } from './fleet.ts'

interface FleetColumn {
  /** The name of the column in the address. */
  name: string
  title: string
  /** The value that the column sorts by. */
  of: (row: FleetRow) => string | Value
  /** True if the lowest value is of most interest. */
  fromLowest?: true
  /** The order in which columns are hidden on narrow screens: 3 first. Without it the column is never hidden. */
  need?: 1 | 2 | 3
}

/** The rented share; null: not known. Rows without rentals are sorted below zero, the longest idle lowest. */
const rentedOf = ({ rented, gpus, idleSince }: FleetRow): Value =>
  rented === null ? null : rented > 0 ? rented / gpus : -1 / (idleSince ?? Number.POSITIVE_INFINITY)

/** The columns of the fleet, in their order. */
export const columns: readonly FleetColumn[] = [
  { name: 'machine', title: 'Machine', of: ({ gpu_name, key }) => `${gpu_name} ${key}`, fromLowest: true },
  { name: 'cost', title: 'Advice', of: ({ cost }) => cost },
  { name: 'price', title: 'Price', of: ({ prices }) => prices[0] ?? null },
  { name: 'now', title: 'Rented now', need: 1, of: rentedOf, fromLowest: true },
  { name: 'occupancy', title: 'Occupancy, 7 days', need: 2, of: ({ occupancy }) => occupancy[1] },
  { name: 'income', title: 'Earned, 7 days', need: 1, of: ({ income }) => income[1] },
  { name: 'net', title: 'Net a day', need: 3, of: ({ net }) => net },
  { name: 'rgi', title: 'RGI', need: 3, of: ({ rgi }) => rgi },
]

/** Columns that appear once a figure of theirs is known. */
const known = ['occupancy', 'net', 'rgi']

/** The columns for some rows. Without rows all columns of a usual table keep their places. */
export const columnsShown = (rows: readonly FleetRow[]): readonly FleetColumn[] =>
  rows.length === 0
    ? columns.filter(({ name }) => name !== 'net')
    : columns.filter(({ name, of }) => !known.includes(name) || rows.some((row) => of(row) !== null))

/** The order of the fleet. By default the costliest trouble comes first. */
export const sortOf = (sort: string): string =>
  columns.some(({ name }) => name === sort.replace('-', '')) ? sort : '-cost'

export function sortedRows(rows: readonly FleetRow[], sort: string): readonly FleetRow[] {
  const column = columns.find(({ name }) => name === sortOf(sort).replace('-', ''))
  return column ? sorted(rows, column.of, sortOf(sort)) : rows
}
