/** Weight of the usual dispersion, in events, when a group's own one is estimated. It suits groups that differ by a quarter or so. */
export const priorEvents = 20

/**
 * Overdispersion of a count: its variance from hour to hour, divided by the count, at least 1. GPUs that are rented together carry as much
 * information as one of them. If a usual dispersion is given, small counts are shrunk towards it.
 */
export const overdispersionOf = (
  { events, variance }: { events: number; variance: number },
  usualDispersion?: number,
): number =>
  Math.max(
    1,
    usualDispersion
      ? (variance + priorEvents * usualDispersion) / (events + priorEvents)
      : variance / Math.max(1, events),
  )
