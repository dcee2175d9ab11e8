/** Weight of the usual dispersion, in events, when a group's own one is estimated. It suits groups that differ by a quarter or so. */
export const priorEvents = 20

/**
 * Weight of the mean rig size as the dispersion of a small count, in events: a rental of a whole rig is the most that is rented at once. Few counted
 * events show their dispersion badly, and mostly as too small.
 */
const sizeEvents = 5

interface DispersedCount {
  events: number
  variance: number
}

/** The dispersion of few events is shrunk towards a usual one, which counts as `weight` events. */
const shrunk = ({ events, variance }: DispersedCount, usual: number, weight: number): number =>
  Math.max(1, (variance + weight * usual) / (events + weight))

/**
 * Overdispersion of a count: its variance from hour to hour, divided by the count, at least 1. GPUs that are rented together carry as much
 * information as one of them. If a usual dispersion is given, small counts are shrunk towards it.
 */
export const overdispersionOf = (count: DispersedCount, usualDispersion?: number): number =>
  usualDispersion
    ? shrunk(count, usualDispersion, priorEvents)
    : Math.max(1, count.variance / Math.max(1, count.events))

/** Overdispersion of the events of machines of this mean rig size. */
export const overdispersionOfRigs = (count: DispersedCount, meanRig: number): number =>
  shrunk(count, meanRig, sizeEvents)
