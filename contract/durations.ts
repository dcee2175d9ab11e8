/** Durations in seconds. */
export const hour = 3600
export const day = 24 * hour
export const week = 7 * day
