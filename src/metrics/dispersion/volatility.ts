const secondsPerHour = 3600

/**
 * The root of the sum of squared changes of ln(median) over so many hours that end at `end`. Null when one of the hourly medians
 * that takes is missing: gaps are not bridged.
 */
export function volatility(
  medians: ReadonlyMap<number, number>,
  { end, hours }: { end: number; hours: number },
): number | null {
  let sum = 0
  let before = medians.get(end - (hours + 1) * secondsPerHour)
  for (let hour = end - hours * secondsPerHour; hour < end; hour += secondsPerHour) {
    const median = medians.get(hour)
    if (!before || !median) return null
    sum += Math.log(median / before) ** 2
    before = median
  }
  return Math.sqrt(sum)
}
