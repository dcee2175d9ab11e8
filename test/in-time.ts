const times = Number(process.env.PROPERTY_RUNS ?? 1)

/** The number of checks of a property on real engines: PROPERTY_RUNS times the usual number. */
export const timesAsOften = (usual: number): number => Math.ceil(usual * times)

/**
 * A property's check, left out once `limitMs` have passed (PROPERTY_RUNS times as long). fast-check's own limit of time leaves a check that runs going on behind the rest
 * of the test, which then finds half of what it writes.
 */
export function inTime<Values extends unknown[]>(
  limitMs: number,
  check: (...values: Values) => Promise<void>,
): (...values: Values) => Promise<void> {
  let deadline: number | undefined
  return async (...values) => {
    deadline ??= Date.now() + limitMs * times
    if (Date.now() < deadline) await check(...values)
  }
}
