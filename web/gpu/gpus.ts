import { sameName } from '../../contract/gpu-names.ts'
import type { GpuName } from '../../contract/names.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Span } from '../view.ts'

/** A name in the market's spelling: a link may have it in another case, or with underscores. */
export const spelled = (name: string, names: readonly GpuName[] = []): string =>
  names.find((known) => sameName(known.name, name))?.name ?? name

/** The names, most frequent first. */
export const byGpus = (names: readonly GpuName[] = []): string[] =>
  [...names].sort((one, other) => other.gpus - one.gpus).map(({ name }) => name)

/** The default GPU types: the host's types, otherwise the most frequent ones; at most three. */
export function usualNames(names: readonly GpuName[] | undefined, own: readonly OwnMachine[] = []): string[] {
  const known = byGpus(names)
  const mine = known.filter((name) => own.some(({ gpu_name }) => gpu_name === name))
  return [...new Set([...mine, ...known])].slice(0, 3)
}

/** The range with data of GPUs; undefined: there is none. */
export function dataOf(chosen: readonly string[], names: readonly GpuName[] = []): Span | undefined {
  const known = names.filter(({ name }) => chosen.includes(name))
  if (known.length === 0) return undefined
  return {
    from: Math.min(...known.map(({ first_seen }) => first_seen)),
    to: Math.max(...known.map(({ last_seen }) => last_seen)),
  }
}
