/** Lets at most so many works run at a time, in the order in which they ask. */
export function createTurns(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    // Who waits takes over the place of one that has ended.
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
