import type { OwnFigures } from '../../../contract/machines.ts'
import { type MachineClass, ofProduct } from '../../../contract/market-filter.ts'
import { isOfClass } from './compared.ts'

/**
 * The machines of one host in one class, and their GPUs and money summed over the slots of a range. A row of machines/comp_sets.
 */
export interface HostInClass extends MachineClass {
  gpu_name: string
  host: number
  machines: number
  all_gpus: number
  rented_gpus: number
  value: number
}

/** Totals of one machine over the same range. */
export interface OwnSums {
  all_gpus: number
  rented_gpus: number
  value: number
}

type CompSet = OwnFigures['comp_set']

const fewestMachines = 4
const fewestHosts = 3

/** The machines of a class by host, without the machines of some hosts. */
export function setOf(
  rows: readonly HostInClass[],
  machine: MachineClass,
  without: readonly number[],
): HostInClass[] {
  const byHost = new Map<number, HostInClass>()
  for (const row of ofProduct(machine, rows)) {
    if (without.includes(row.host) || !isOfClass(machine, row)) continue
    const { machines, all_gpus, rented_gpus, value } = byHost.get(row.host) ?? nothing
    byHost.set(row.host, {
      ...row,
      machines: machines + row.machines,
      all_gpus: all_gpus + row.all_gpus,
      rented_gpus: rented_gpus + row.rented_gpus,
      value: value + row.value,
    })
  }
  return [...byHost.values()]
}

const nothing = { machines: 0, all_gpus: 0, rented_gpus: 0, value: 0 }

/** A missing comparison with its reason. */
export const none = (reason: CompSet['reason']): CompSet => ({ mpi: null, ari: null, rgi: null, reason })
const total = (rows: readonly HostInClass[], what: (row: HostInClass) => number) =>
  rows.reduce((sum, row) => sum + what(row), 0)

/**
 * Compares a machine with the machines of its class that other hosts own. The earnings of a single one must stay secret, so the
 * set needs several machines of several hosts, none of which has most of the GPUs. The set is the same for every filter of the
 * request, and the figures are rounded, so that answers cannot be subtracted from each other.
 */
export function compareWithSet(own: OwnSums, others: readonly HostInClass[]): CompSet {
  if (own.all_gpus === 0) return none('not_seen')
  const gpus = total(others, (row) => row.all_gpus)
  if (total(others, (row) => row.machines) < fewestMachines) return none('few_machines')
  if (others.length < fewestHosts) return none('few_hosts')
  if (others.some((row) => row.all_gpus * 2 > gpus)) return none('dominant_host')
  const rented = total(others, (row) => row.rented_gpus)
  if (rented === 0) return none('not_rented')
  const mpi = (100 * (own.rented_gpus / own.all_gpus)) / (rented / gpus)
  if (own.rented_gpus === 0) return { mpi: 0, ari: null, rgi: 0, reason: null }
  const adr = total(others, (row) => row.value) / rented
  const ari = (100 * (own.value / own.rented_gpus)) / adr
  return { mpi: rounded(mpi), ari: rounded(ari), rgi: rounded((mpi * ari) / 100), reason: null }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
