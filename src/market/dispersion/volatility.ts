const secondsPerHour = 3600

/**
 * The movement of the median over some hours: the root of the sum of squared changes of ln(median), for the hours that end at
 * `end`. Null if one of these hourly medians is missing: gaps are not bridged. Each change is computed once, for all windows that
 * contain it.
 */
export function openVolatility(
  medians: ReadonlyMap<number, number>,
): (window: { end: number; hours: number }) => number | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const hour of medians.keys()) [first, last] = [Math.min(first, hour), Math.max(last, hour)]
  const count = medians.size === 0 ? 0 : (last - first) / secondsPerHour + 1
  const changes = Float64Array.from({ length: count }, (_, index) => {
    const hour = first + index * secondsPerHour
    const [before, median] = [medians.get(hour - secondsPerHour), medians.get(hour)]
    return before && median ? Math.log(median / before) ** 2 : Number.NaN
  })
  return ({ end, hours }) => {
    const to = (end - first) / secondsPerHour
    if (!(to - hours >= 0 && to <= count)) return null
    let sum = 0
    for (let index = to - hours; index < to; index += 1) sum += changes[index] ?? Number.NaN
    return Number.isNaN(sum) ? null : Math.sqrt(sum)
  }
}
