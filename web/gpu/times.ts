import type { Value } from '../charts/spec.ts'

/**
 * Adds the missing buckets to the times of an answer, so that a chart shows gaps instead of a line across them. With a step finer than the
 * snapshots most buckets are empty, so a gap is measured against the median distance between points. `spread` puts values at their
 * new places, with null in the gaps.
 */
export function fillTimes(given: readonly number[], step: number) {
  const apart = Math.max(step, usualDistance(given))
  const times: number[] = []
  const places: number[] = []
  for (const [index, time] of given.entries()) {
    const before = given[index - 1] ?? time
    for (let missing = before + apart; missing < time - apart / 2; missing += apart) times.push(missing)
    places.push(times.push(time) - 1)
  }
  return {
    times,
    spread(values: readonly Value[]): Value[] {
      const spread = new Array<Value>(times.length).fill(null)
      for (const [index, place] of places.entries()) spread[place] = values[index] ?? null
      return spread
    },
  }
}

/** The median distance between neighbours; 0: there are none. */
function usualDistance(times: readonly number[]): number {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time))
  return distances.sort((one, other) => one - other)[Math.floor((distances.length - 1) / 2)] ?? 0
}
