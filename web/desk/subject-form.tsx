import { useMemo } from 'preact/hooks'
import { filtersOfClass } from '../../contract/market-filter.ts'
import type { GpuName } from '../../contract/names.ts'
import type { OwnMachine } from '../api/queries.ts'
import { MachineFilters } from '../components/machine-filters.tsx'
import { Select } from '../components/select.tsx'
import { byGpus } from '../gpu/gpus.ts'
import type { useView, View } from '../view.ts'
import { filtersIn } from './address.ts'

interface SubjectFormProps {
  view: View
  change: ReturnType<typeof useView>[1]
  names: readonly GpuName[]
  own: readonly OwnMachine[]
  /** The GPU name that is priced. */
  name: string
  machine: OwnMachine | undefined
}

/** The choice of an own machine, or of a class of machines. */
export function SubjectForm({ view, change, names, own, name, machine }: SubjectFormProps) {
  const offered = machine && !own.some(({ id }) => id === machine.id) ? [machine, ...own] : own
  const isListed = view.machine === 0 || offered.some(({ id }) => id === view.machine)
  const unlisted = isListed ? 0 : view.machine
  const machineOptions = useMemo(
    () => [
      ['0', 'A class of machines'] as const,
      // A machine from a link that is not the visitor's, or not known yet.
      ...(unlisted === 0 ? [] : [[String(unlisted), `Machine ${unlisted}`] as const]),
      ...offered.map(
        ({ id, num_gpus, gpu_name }) => [String(id), `Machine ${id}: ${num_gpus}× ${gpu_name}`] as const,
      ),
    ],
    [offered, unlisted],
  )
  const types = [...new Set([...(name ? [name] : []), ...byGpus(names)])]

  function choose(id: number): void {
    if (id > 0) {
      change({ machine: id, price: '' })
      return
    }
    change({
      machine: 0,
      price: '',
      gpus: name ? [name] : [],
      focus: '',
      ...(machine && filtersIn(filtersOfClass(machine))),
    })
  }
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <Select
        label="What to price"
        value={String(view.machine)}
        options={machineOptions}
        onChange={(id) => choose(Number(id))}
      />
      {view.machine === 0 && name !== '' && (
        <>
          <Select
            label="GPU"
            value={name}
            options={types.map((type) => [type, type] as const)}
            onChange={(gpu) => change({ gpus: [gpu], focus: '', price: '' })}
          />
          <MachineFilters view={view} change={change} />
        </>
      )}
    </form>
  )
}
