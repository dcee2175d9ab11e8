import { vi } from 'vitest'
import { systemClock } from '../cli/system-clock.ts'
import type { Clock } from '../platform/clock.ts'
import type { Postgres } from '../platform/stores/postgres.ts'

/** The clock of this process and of one database together. Processes that a test starts keep their own. */
export interface TestClock extends Clock {
  /** Stops it, now or at a time (unix seconds). */
  hold(at?: number): Promise<void>
  /** Moves it while it stands still. */
  advance(seconds: number): Promise<void>
  /** Lets the clock run again, by the time of the machine. */
  release(): Promise<void>
}

const { TEST_CLOCK_AT, TEST_CLOCK_MOVED } = process.env

/** Seconds that the clock of this process is ahead (test/moved-clock.mjs). Databases, processes and pages follow it. */
export const movedBy = Number(TEST_CLOCK_MOVED ?? 0)

/** The start of each worker's clock (unix seconds), if it was moved. Earlier times are in the past for all workers. */
export const beginning = TEST_CLOCK_AT === undefined ? undefined : Number(TEST_CLOCK_AT)

export function openTestClock(postgres: Postgres): TestClock {
  let held: number | undefined
  const set = (present: string) =>
    postgres.query(
      `CREATE OR REPLACE FUNCTION rackrate_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE RETURN ${present}`,
    )
  const now = () => held ?? systemClock.now()
  const hold = async (at = now()) => {
    await set(`to_timestamp(${at})`)
    held = at
  }
  return {
    now,
    hold,
    advance: (seconds) => hold(now() + seconds),
    async release() {
      await set(movedBy === 0 ? 'now()' : `now() + interval '${movedBy} seconds'`)
      held = undefined
    },
  }
}

const sinceStart = performance.now.bind(performance)

/** Adds seconds to performance.now(), until mocks are restored: recent times are then long ago. */
export function passTime(seconds: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => sinceStart() + seconds * 1000)
}
