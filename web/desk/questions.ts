import { hour, week } from '../../contract/durations.ts'
import { bookDays, floorTo } from '../../contract/ladder.ts'
import { everyMachine, type Filters, filterOf, filtersOfClass } from '../../contract/market-filter.ts'
import type { GpuName } from '../../contract/names.ts'
import { newestSlot } from '../api/freshness.ts'
import type { OwnMachine } from '../api/queries.ts'
import { byGpus, spelled } from '../gpu/gpus.ts'
import { focusOf, type View } from '../view.ts'

/**
 * The default without a choice: the own machine whose recommended price gains most, otherwise the first listed one, otherwise the most common GPU
 * name.
 */
export function choiceOf(
  { machine, gpus }: View,
  names: readonly GpuName[] | undefined,
  machines: readonly OwnMachine[] | undefined,
): Partial<View> | undefined {
  if (machine > 0 || gpus.length > 0 || !machines) return undefined
  const gainOf = ({ online, figures }: OwnMachine) =>
    (online && figures?.advice.price !== null && figures?.advice.gain_per_day?.value) || 0
  const [first] = machines
    .filter(({ price }) => price !== null)
    .toSorted((one, other) => gainOf(other) - gainOf(one))
  if (first) return { machine: first.id }
  const [usual] = byGpus(names)
  return usual === undefined ? undefined : { gpus: [usual] }
}

/** The GPU name that is priced (empty: not known yet) and the machines whose rates count. `machine`: the own machine that is priced. */
export function pricedOf(view: View, names: readonly GpuName[] | undefined, machine: OwnMachine | undefined) {
  const chosen = view.gpus.map((name) => spelled(name, names))
  return {
    name: view.machine > 0 ? (machine?.gpu_name ?? '') : focusOf(view, chosen),
    filters: machine ? filtersOfClass(machine.figures?.class ?? machine) : filterOf(view),
    // An own machine is priced among all of its GPU name and memory: no other filter is shown for it.
    shown: view.machine > 0 ? ofMemory(filtersOfClass(machine ?? noMachine)) : filterOf(view),
  }
}

/** All machines with the chosen size of memory. */
const ofMemory = ({ gpu_memory }: Filters): Filters => ({ ...everyMachine, gpu_memory })
/** The machine is not known yet. */
const noMachine = { verified: null, hosting_type: null, num_gpus: null, gpu_memory: null }

/**
 * The queries about a GPU name: its present book with the shown filters, its mean book of the last days (which defines positions), and the rates of a
 * class of its machines.
 */
export function questionsOf({ name, filters, shown }: { name: string; filters: Filters; shown: Filters }) {
  // The hours that the figures of own machines cover. The headers of any answer have the newest snapshot, so this does not wait for the book.
  const end = floorTo(hour, newestSlot.value)
  return {
    now: { gpu_name: name, ...shown },
    mean: { gpu_name: name, ...ofMemory(filters), days: bookDays },
    rates: { gpu_name: name, ...filters, start: Math.max(0, end - week), end },
  }
}
