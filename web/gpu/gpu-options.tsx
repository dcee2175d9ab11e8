import { useSignal } from '@preact/signals'
import type { GpuName } from '../../contract/names.ts'
import { counted } from '../format.ts'

export interface GpuOptionsProps {
  names: readonly GpuName[]
  chosen: readonly string[]
  onChoose: (names: string[]) => void
}

/** The GPU types to choose from, with a search and the number of GPUs of each. */
export function GpuOptions({ names, chosen, onChoose }: GpuOptionsProps) {
  const search = useSignal('')
  const all = chosen[0] === 'all'
  const wanted = search.value.trim().toLowerCase()
  const found = [...names]
    .sort((one, other) => other.gpus - one.gpus)
    .filter(({ name }) => name.toLowerCase().includes(wanted))

  function toggle(name: string): void {
    if (all) onChoose([name])
    else if (!chosen.includes(name)) onChoose([...chosen, name])
    else if (chosen.length > 1) onChoose(chosen.filter((other) => other !== name))
  }
  return (
    <>
      <input
        type="search"
        placeholder="Find a GPU type"
        aria-label="Find a GPU type"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <p class="note">Counts ignore the filters.</p>
      <div class="options">
        <label>
          <input
            type="checkbox"
            checked={all}
            onChange={() => onChoose(all ? found.slice(0, 3).map(({ name }) => name) : ['all'])}
          />
          All types <span class="quiet">{names.length}</span>
        </label>
        {found.map(({ name, machines, gpus }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={all || chosen.includes(name)}
              disabled={chosen.length === 1 && chosen[0] === name}
              onChange={() => toggle(name)}
            />
            {name}{' '}
            <span class="quiet">
              {counted(gpus, 'GPU')}, {counted(machines, 'machine')}
            </span>
          </label>
        ))}
        {found.length === 0 && <p class="quiet">No GPU type has that name.</p>}
      </div>
    </>
  )
}
