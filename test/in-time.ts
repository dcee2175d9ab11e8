const times = Number(process.env.PROPERTY_RUNS ?? 1)

/** The number of checks of a property on real engines: PROPERTY_RUNS times the usual number. */
export const timesAsOften = (usual: number): number => Math.ceil(usual * times)

/**
 * A property's check, left out once `limitMs` have passed (PROPERTY_RUNS times as long). fast-check's own time limit does not stop a running check,
 * whose writes would then disturb the rest of the test.
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
