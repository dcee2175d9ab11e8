/** Runs at most `most` tasks at a time, in the order of their requests. */
export function createTurns(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    // A waiting task takes over the place of a task that has ended.
    if (running < most) running += 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
export type Turns = ReturnType<typeof createTurns>
