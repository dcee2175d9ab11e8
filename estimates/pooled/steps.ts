/** A computation in steps of a few hundredths of a second, between which other work may have its turn. */
export type Steps<Found> = Generator<undefined, Found>

/** Computes without a pause. */
export function inOneGo<Found>(steps: Steps<Found>): Found {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
