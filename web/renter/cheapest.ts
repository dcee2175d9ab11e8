import type { OfferedGpu } from '../../contract/offers.ts'

/** A group of own rented GPUs. */
export interface RentedGpus {
  gpu_name: string
  num_gpus: number
}

/** USD an hour of the cheapest free GPUs of the same types and numbers; null: they are not known, as where too few are free. */
export function cheapestOf(rented: readonly RentedGpus[], gpus: readonly OfferedGpu[]): number | null {
  const wanted = new Map<string, number>()
  for (const { gpu_name, num_gpus } of rented) wanted.set(gpu_name, (wanted.get(gpu_name) ?? 0) + num_gpus)
  let sum = 0
  for (const [name, count] of wanted) {
    let left = count
    for (const { price, gpus: free } of gpus.find(({ gpu_name }) => gpu_name === name)?.offers ?? []) {
      const taken = Math.min(left, free)
      sum += taken * price
      left -= taken
    }
    if (left > 0) return null
  }
  return sum
}

/** The types to show: the rented ones first. */
export function typesFor(gpus: readonly OfferedGpu[], rented: readonly RentedGpus[]): OfferedGpu[] {
  const own = new Set(rented.map(({ gpu_name }) => gpu_name))
  const isOwn = ({ gpu_name }: OfferedGpu) => own.has(gpu_name)
  return [...gpus.filter(isOwn), ...gpus.filter((gpu) => !isOwn(gpu))]
}
