import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/** Records the seconds between slots, which flows depend on. Only processes that record slots do: a command that reads may have another setting. */
export const noteInterval = (postgres: Session, interval: number) =>
  postgres.query('UPDATE slot_interval SET seconds = $1 WHERE seconds <> $1', [interval])

/** The most seconds between two slots that are compared with each other: in a longer time, more may have happened than the two show. */
export const longestPair = (interval: number): number => 3 * interval

/** The recorded seconds between slots. */
export async function recordedInterval(postgres: Session): Promise<number> {
  const { rows } = await postgres.query<{ seconds: number }>('SELECT seconds FROM slot_interval')
  return one(rows).seconds
}

/** `longestPair` of the recorded interval. */
export const recordedLongestPair = async (postgres: Session): Promise<number> =>
  longestPair(await recordedInterval(postgres))
