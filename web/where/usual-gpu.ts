import { useMachineList } from '../api/machines.ts'
import { useNames } from '../api/queries.ts'

/** The GPU type to begin with: the most common one of the own machines, otherwise of the market. */
export function useUsualGpu(chosen: readonly string[]) {
  const names = useNames()
  const own = useMachineList()
  if (chosen.length > 0) return undefined
  if (!names.data || own.isPending) return undefined
  const gpus = new Map<string, number>()
  for (const { gpu_name, num_gpus } of own.data?.machines ?? [])
    gpus.set(gpu_name, (gpus.get(gpu_name) ?? 0) + num_gpus)
  if (gpus.size === 0) for (const { name, gpus: total } of names.data) gpus.set(name, total)
  const [most] = [...gpus].sort((one, other) => other[1] - one[1])
  return { gpus: [most?.[0] ?? 'all'] }
}
