import { week } from '../../contract/durations.ts'
import { bookDays, floorTo } from '../../contract/ladder.ts'
import { everyMachine, type Filters, filterOf, filtersOfClass } from '../../contract/market-filter.ts'
import type { GpuName } from '../../contract/names.ts'
import { newestSlot } from '../api/freshness.ts'
import type { OwnMachine } from '../api/queries.ts'
import { byGpus, spelled } from '../gpu/gpus.ts'
import { focusOf, type View } from '../view.ts'

/** The own machine whose recommended price gains most, else the first one that is listed, else the most common GPU name, where none is chosen. */
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

/** What is priced: a GPU name, empty when it is not known yet, and the machines whose rates count. `machine`: the own one that is priced. */
export function pricedOf(view: View, names: readonly GpuName[] | undefined, machine: OwnMachine | undefined) {
  const chosen = view.gpus.map((name) => spelled(name, names))
  return {
    name: view.machine > 0 ? (machine?.gpu_name ?? '') : focusOf(view, chosen),
    filters: machine ? filtersOfClass(machine.figures?.class ?? machine) : filterOf(view),
    // An own machine is priced among all of its GPU name and memory: no other filter is shown for it.
    shown: view.machine > 0 ? ofMemory(filtersOfClass(machine ?? noMachine)) : filterOf(view),
  }
}

/** All machines with the memory that a filter chooses. */
const ofMemory = ({ gpu_memory }: Filters): Filters => ({ ...everyMachine, gpu_memory })
/** One that is not known yet. */
const noMachine = { verified: null, hosting_type: null, num_gpus: null, gpu_memory: null }

/**
 * The questions about a GPU name: its book now, on the machines that the filters shown let pass, its book of the last days, in which
 * positions are defined, and the rates of a class of its machines.
 */
export function questionsOf({ name, filters, shown }: { name: string; filters: Filters; shown: Filters }) {
  // The hours that the figures of own machines are of. Any answer tells, so that the book need not come first.
  const end = floorTo(3600, newestSlot.value)
  return {
    now: { gpu_name: name, ...shown },
    mean: { gpu_name: name, ...ofMemory(filters), days: bookDays },
    rates: { gpu_name: name, ...filters, start: Math.max(0, end - week), end },
  }
}
