import { pick, type Random, seeded } from '../../../../simulate/random.ts'

/** An error that the world made up: a lost answer, a broken connection, a killed statement. */
export class InjectedError extends Error {}

/** A process of rackrate. After a kill no promise of it resolves, so its code stops where it waits. */
export interface Process {
  isAlive: boolean
  /** Called when the process is killed. */
  onKill: (() => void)[]
}

/** The rates of faults: chances at each statement. */
export interface Weather {
  /** The statement never arrives; its sender sees an error. */
  lostBefore: number
  /** The statement takes effect; its sender sees an error. */
  lostAfter: number
  /** A statement, or an answer, takes a hundred times as long as usual. */
  slow: number
}

export const calm: Weather = { lostBefore: 0, lostAfter: 0, slow: 0 }

/**
 * Decides which event happens next. All actions of the stores are events with a time; a seed chooses the times, and thereby the order. Two runs of
 * one seed are the same, statement for statement.
 */
export function openWorld(seed: number) {
  const isTraced = process.env.TRACE !== undefined
  const random = seeded(seed)
  const events: { at: number; run: () => void }[] = []
  let time = 0
  const world = {
    random: random as Random,
    weather: calm,
    /** The true time, in unix seconds, and how far the clocks of the stores are off. */
    now: 1_750_000_000,
    skew: { postgres: 0, clickhouse: 0 },
    /** The last events, for the report of a failure. */
    trace: [] as string[],
    chance: (probability: number) => probability > 0 && random() < probability,
    below: (n: number) => Math.floor(random() * n),
    pick: <T>(items: readonly T[]): T => pick(random, items),
    /** Recorded only to trace a failure: the texts take a third of the time. */
    note(text: () => string): void {
      if (!isTraced) return
      world.trace.push(`${time} ${text()}`)
      if (world.trace.length > 100_000) world.trace.splice(0, 50_000)
    },
    /** Runs `event` at a time that the seed chooses. */
    later(run: () => void): void {
      const usual = 1 + world.below(8)
      events.push({ at: time + (world.chance(world.weather.slow) ? 100 * usual : usual), run })
    },
    /** For a killed process it never resolves. */
    pause: (process: Process): Promise<void> =>
      new Promise((resolve) => world.later(() => process.isAlive && resolve())),
    /** Runs events until `isDone`, or until nothing is left that could happen. */
    async until(isDone: () => boolean): Promise<void> {
      for (;;) {
        // Code that waits for no event runs first.
        await new Promise((resolve) => setImmediate(resolve))
        if (isDone()) return
        const next = events.reduce<number | undefined>(
          (best, event, index) => (best === undefined || event.at < (events[best]?.at ?? 0) ? index : best),
          undefined,
        )
        if (next === undefined) return
        const [event] = events.splice(next, 1)
        if (!event) return
        time = Math.max(time, event.at)
        event.run()
      }
    },
    isQuiet: () => events.length === 0,
    newProcess: (): Process => ({ isAlive: true, onKill: [] }),
    kill(process: Process): void {
      if (!process.isAlive) return
      process.isAlive = false
      for (const hear of process.onKill) hear()
    },
  }
  return world
}

export type World = ReturnType<typeof openWorld>

/** `resolve` and `reject` of an answer. Both do nothing for a killed process. */
export function answerTo<T>(
  process: Process,
  settle: { resolve: (value: T) => void; reject: (error: Error) => void },
) {
  return {
    resolve: (value: T) => process.isAlive && settle.resolve(value),
    reject: (error: Error) => process.isAlive && settle.reject(error),
  }
}
