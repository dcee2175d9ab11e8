import type { GpuName } from '../../contract/names.ts'
import { useNames } from './queries.ts'

/** The sizes of memory of each GPU name that has several, GB. */
export const severalSizes = (names: readonly GpuName[] | undefined): ReadonlyMap<string, readonly number[]> =>
  new Map((names ?? []).flatMap(({ name, memory }) => (memory.length > 1 ? [[name, memory]] : [])))

/** The sizes of memory of some GPU names of the market, or of all names, GB, ascending. */
export function useSizes(of?: readonly string[]): number[] {
  const names = (useNames().data ?? []).filter(({ name }) => !of || of.includes(name))
  return [...new Set(names.flatMap(({ memory }) => memory))].sort((a, b) => a - b)
}
