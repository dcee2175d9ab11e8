import { useMemo } from 'preact/hooks'
import { machineOption, useMachineList } from '../api/machines.ts'
import { useSizes } from '../api/memory.ts'
import { useNames } from '../api/queries.ts'
import { Select } from '../components/select.tsx'
import { TypedNumber } from '../components/typed-number.tsx'
import type { Of } from './words.ts'

/** Any name: a rule may wait for a GPU that the market does not know yet. */
export function GpuField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const { data } = useNames()
  return (
    <label>
      GPU
      <input
        value={name}
        list="gpu-names"
        required
        maxLength={64}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id="gpu-names">
        {data?.map((gpu) => (
          <option key={gpu.name} value={gpu.name} />
        ))}
      </datalist>
    </label>
  )
}

type Verified = Of<'event'>['verified']

interface VerifiedProps {
  value: Verified
  onChange: (value: Verified) => void
}

export const VerifiedField = ({ value, onChange }: VerifiedProps) => (
  <Select
    label="Machines"
    value={value}
    options={[
      ['yes', 'verified'],
      ['no', 'unverified'],
      ['all', 'all'],
    ]}
    onChange={onChange}
  />
)

/** The size of memory that a rule watches, from the sizes on the market; 0: all. */
export function MemoryField({ value, onChange }: { value: number; onChange: (size: number) => void }) {
  const sizes = [...new Set([0, ...useSizes(), value])]
  return (
    <Select
      label="Memory"
      value={`${value}`}
      options={sizes.map((size) => [`${size}`, size === 0 ? 'All' : `${size} GB`] as const)}
      onChange={(size) => onChange(Number(size))}
    />
  )
}

/** One of the own machines, or all of them. */
export function MachineField({ id, onChange }: { id: number | null; onChange: (id: number | null) => void }) {
  const known = useMachineList().data?.machines
  const options = useMemo(
    () => [
      ['', 'any of my machines'] as const,
      ...(known ?? []).map(machineOption),
      ...(id === null || known?.some((machine) => machine.id === id)
        ? []
        : [[`${id}`, `machine ${id}`] as const]),
    ],
    [known, id],
  )
  return (
    <Select
      label="Machine"
      value={`${id ?? ''}`}
      options={options}
      onChange={(text) => onChange(text === '' ? null : Number(text))}
    />
  )
}

interface NumberProps {
  label: string
  value: number
  least: number
  most?: number
  onChange: (value: number) => void
}

export const NumberField = ({ label, value, least, most, onChange }: NumberProps) => (
  <TypedNumber
    label={label}
    min={least}
    {...(most !== undefined && { max: most })}
    step="any"
    required
    value={value}
    onChange={(text) => text !== '' && onChange(Number(text))}
  />
)
