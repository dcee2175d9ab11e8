import type { Value } from '../charts/spec.ts'
import { sorted } from '../components/sorting.ts'
import type { FleetRow } from './fleet.ts'

interface FleetColumn {
  /** Its name in the address. */
  name: string
  title: string
  /** What it is sorted by. */
  of: (row: FleetRow) => string | Value
  /** Whether the lowest is of most interest. */
  fromLowest?: true
  /** The width at which it leaves: 3 the first. Without it: never. */
  need?: 1 | 2 | 3
}

/** The share that is rented; where nothing is, the longest idle has the lowest. */
const rentedOf = ({ rented, gpus, idleSince }: FleetRow): number =>
  rented > 0 ? rented / gpus : -1 / (idleSince ?? Number.POSITIVE_INFINITY)

/** The columns of the fleet, in their order. */
export const columns: readonly FleetColumn[] = [
  { name: 'machine', title: 'Machine', of: ({ gpu_name, key }) => `${gpu_name} ${key}`, fromLowest: true },
  { name: 'cost', title: 'Advice', of: ({ cost }) => cost },
  { name: 'price', title: 'Price', of: ({ prices }) => prices[0] ?? null },
  { name: 'now', title: 'Rented now', need: 1, of: rentedOf, fromLowest: true },
  { name: 'occupancy', title: 'Occupancy, 7 days', need: 2, of: ({ occupancy }) => occupancy[1] },
  { name: 'income', title: 'Income', need: 1, of: ({ income }) => income[2] },
  { name: 'net', title: 'Net a day', need: 3, of: ({ net }) => net },
  { name: 'rgi', title: 'RGI', need: 3, of: ({ rgi }) => rgi },
]

/** What the fleet is sorted by: what costs most comes first, where nothing of it is chosen. */
export const sortOf = (sort: string): string =>
  columns.some(({ name }) => name === sort.replace('-', '')) ? sort : '-cost'

export function sortedRows(rows: readonly FleetRow[], sort: string): readonly FleetRow[] {
  const column = columns.find(({ name }) => name === sortOf(sort).replace('-', ''))
  return column ? sorted(rows, column.of, sortOf(sort)) : rows
}
