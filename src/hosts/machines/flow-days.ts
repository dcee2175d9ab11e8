import { classKey, filterOf, type MachineClass } from '../../../contract/market-filter.ts'
import { recordOf } from '../../../contract/records.ts'
import { gapNames, type SeenFlows, withSeenTimes } from '../../../estimates/between-sights.ts'
import type { ClassFlow } from './compared.ts'

type Cell = Pick<ClassFlow, 'gpu_name' | 'position' | keyof MachineClass>

const sums = [
  ...(['exposed_seconds', 'rented_gpus', 'held_seconds', 'returned_gpus'] as const),
  ...(['exposed_squares', 'rented_squares', 'held_squares', 'returned_squares'] as const),
  ...(['rented_products', 'returned_products'] as const),
  ...gapNames,
] as const

/** Flows of a day for the machines of a class at a price position: sums over its hours. A row of replay/flow_days. */
export type DayFlow = Cell & { day: number } & Record<(typeof sums)[number], number>

/** The flows of some days of one GPU name together, in the form of machines/class_flows, with the times in which rentals could be seen. */
export const flowsOfDays = (days: readonly DayFlow[]): readonly ClassFlow[] =>
  withSeenTimes(addedUp(days).map(flowOf))

/** One row for each class and position, with the day of its first one. */
export function addedUp(days: readonly DayFlow[]): DayFlow[] {
  const totals = new Map<string, DayFlow>()
  for (const row of days) {
    const key = `${row.gpu_name} ${classKey(row)} ${row.position}`
    const total = totals.get(key)
    if (total) for (const name of sums) total[name] += row[name]
    else totals.set(key, { ...row })
  }
  return [...totals.values()]
}

function flowOf(total: DayFlow): ClassFlow & SeenFlows {
  const { gpu_name, position, exposed_seconds, rented_gpus, held_seconds, returned_gpus } = total
  const rented = rented_gpus / Math.max(1, exposed_seconds)
  const returned = returned_gpus / Math.max(1, held_seconds)
  return {
    gpu_name,
    position,
    ...filterOf(total),
    ...recordOf(gapNames, (name) => total[name]),
    exposed_seconds,
    rented_gpus,
    held_seconds,
    returned_gpus,
    rented_variance:
      total.rented_squares - 2 * rented * total.rented_products + rented ** 2 * total.exposed_squares,
    returned_variance:
      total.returned_squares - 2 * returned * total.returned_products + returned ** 2 * total.held_squares,
  }
}
