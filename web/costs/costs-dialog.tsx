import './costs.css'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useMachineList } from '../api/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Select } from '../components/select.tsx'
import { Status } from '../components/status.tsx'
import { useCosts } from './api.ts'
import { CostsForm } from './costs-form.tsx'

const none: OwnMachine[] = []

interface CostsDialogProps {
  /** The machine whose costs the form shows first; 0: all machines. */
  machine: number
  onClose: () => void
}

/** The dialog for the costs of all machines, or of one. */
export function CostsDialog({ machine, onClose }: CostsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const chosen = useSignal(machine)
  const [list, costs] = [useMachineList(), useCosts()]
  const own = list.data?.machines ?? none
  const options = useMemo(
    () => [
      ['0', 'All machines'] as const,
      ...own.map(
        ({ id, num_gpus, gpu_name }) => [String(id), `Machine ${id}: ${num_gpus}× ${gpu_name}`] as const,
      ),
    ],
    [own],
  )
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="costs" aria-labelledby="costs-title" onClose={onClose}>
      <article>
        <h2 id="costs-title">Costs</h2>
        <p>
          All amounts are per machine. Unknown costs are left out of every figure and listed. Enter a fee of 0
          % as 0. Only this account sees its costs.
        </p>
        <Select
          label="Costs of"
          value={String(chosen.value)}
          options={options}
          onChange={(id) => {
            chosen.value = Number(id)
          }}
        />
        <Status of={[list, costs]} hasData={costs.data !== undefined} />
        {costs.data && list.data && (
          <CostsForm
            key={chosen.value}
            machine={own.find(({ id }) => id === chosen.value)}
            account={costs.data.account}
            own={costs.data.machines.find(({ id }) => id === chosen.value)}
            onClose={() => dialog.current?.close()}
          />
        )}
      </article>
    </dialog>
  )
}
