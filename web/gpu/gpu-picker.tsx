import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { GpuOptionsProps } from './gpu-options.tsx'
import { parts } from './parts.ts'

const GpuOptions = onDemand(async () => (await parts.gpus()).GpuOptions)

/** Chooses GPU types. */
export function GpuPicker({ chosen, ...options }: GpuOptionsProps) {
  const words =
    chosen[0] === 'all' ? 'all' : chosen.length <= 2 ? chosen.join(', ') : `${chosen.length} types`
  return <Dropdown label={`GPUs: ${words}`}>{() => <GpuOptions chosen={chosen} {...options} />}</Dropdown>
}
