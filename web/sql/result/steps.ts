/** With more places than this, or more than ten times the rows, the distance is no step of the data. */
const mostPlaces = 200_000

/** The unit in which steps are regular: months if all times are the first of a month, otherwise seconds. */
interface Count {
  of(time: number): number
  time(count: number): number
}

const seconds: Count = { of: (time) => time, time: (count) => count }
const months: Count = {
  of(time) {
    const date = new Date(time * 1000)
    return date.getUTCFullYear() * 12 + date.getUTCMonth()
  },
  time: (count) => new Date(0).setUTCFullYear(Math.floor(count / 12), count % 12, 1) / 1000,
}

/**
 * The times of a series including missing ones, so that no line is drawn across them. `times` are ascending and distinct. A step is regular
 * when all distances are multiples of the least one; times without a regular step stay as they are.
 */
export function withMissing(times: readonly number[]): number[] {
  const count = times.every((time) => months.time(months.of(time)) === time) ? months : seconds
  const [first = 0, ...others] = times.map(count.of)
  const last = others.at(-1)
  if (last === undefined) return [...times]
  const distances = others.map((at, index) => at - (others[index - 1] ?? first))
  const step = distances.reduce((least, distance) => Math.min(least, distance))
  const length = (last - first) / step + 1
  const isRegular = distances.every((distance) => distance % step === 0)
  if (!isRegular || length > Math.min(mostPlaces, 10 * times.length + 1000)) return [...times]
  return Array.from({ length }, (_, index) => count.time(first + index * step))
}
