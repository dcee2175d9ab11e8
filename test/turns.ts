import { inject } from 'vitest'
import { openPostgres } from '../platform/stores/postgres.ts'

/**
 * The account for ad hoc SQL has four places on the engine that all test files share: those that fill or count them take turns.
 * Returns what ends the turn.
 */
export async function takeTurn(): Promise<() => Promise<void>> {
  const postgres = openPostgres(inject('engines').postgresUrl, (error) => console.error(error.message), 1)
  const client = await postgres.connect()
  await client.query('SELECT pg_advisory_lock(47)')
  return async () => {
    client.release(true)
    await postgres.end()
  }
}

/** For a beforeAll that takes a turn: as long as the others may take. */
export const turnTimeout = 1_800_000
