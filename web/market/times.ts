import type { Value } from '../charts/spec.ts'

/**
 * Every bucket from the first to the last, so that one without a snapshot is a gap and not a straight line across it. `spread` puts
 * the values of the given times where they belong, with null in the gaps.
 */
export function fillTimes(given: readonly number[], step: number) {
  const [first, last] = [given[0], given.at(-1)]
  const times: number[] = []
  if (first !== undefined && last !== undefined)
    for (let time = first; time <= last; time += step) times.push(time)
  const indexOf = new Map(times.map((time, index) => [time, index]))
  return {
    times,
    spread(values: readonly Value[]): Value[] {
      const spread = new Array<Value>(times.length).fill(null)
      for (const [index, time] of given.entries()) {
        const at = indexOf.get(time)
        if (at !== undefined) spread[at] = values[index] ?? null
      }
      return spread
    },
  }
}
