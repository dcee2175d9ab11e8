import { setTimeout as pause } from 'node:timers/promises'
import type { HostApi } from '../../../collect/host-api.ts'
import { HostApiError } from '../../../collect/host-call.ts'
import { day } from '../../../contract/durations.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { noteMachines } from './host-key.ts'
import { type KeyedApiOptions, type KeyOfClaim, marketOfKey, openKeyedApi } from './keyed-api.ts'
import { noteShares, renterPrices } from './note-shares.ts'

interface ReadOptions extends KeyedApiOptions {
  /** Seconds between slots. */
  snapshotInterval: number
  stopping: AbortSignal
  /** Milliseconds between two calls to a marketplace, to limit the load on it. Default: 5 seconds. */
  pauseMs?: number
}

type DueKey = KeyOfClaim & { id: number }

/** Seconds for five calls of 30 seconds, and the pauses between them. */
const longestTurn = 180
/** Machines whose earnings are read in one run. Each machine is read once an hour. */
const machinesPerTurn = 4
/** Days of earnings that are read, which includes later corrections of the marketplace. */
const daysRead = 31
const keysAtOnce = 4
/** Seconds subtracted from the interval, so that the key is due before the next slot: runs are by the minute. */
const sooner = 15

/**
 * Reads the machines of every key that is due, and the earnings of some of them. If the marketplace does not respond, earlier
 * data stays, and the claim has the reason. No database connection is held meanwhile.
 */
export async function readWithKeys(options: ReadOptions): Promise<{ read: number; failed: number }> {
  const { rows } = await options.postgres.query<DueKey>('claims/due_keys', [longestTurn])
  const done = { read: 0, failed: 0 }
  const work = async () => {
    for (let key = rows.shift(); key && !options.stopping.aborted; key = rows.shift())
      done[(await readWithKey(options, key)) ? 'read' : 'failed'] += 1
  }
  await Promise.all(Array.from({ length: keysAtOnce }, work))
  return done
}

async function readWithKey(options: ReadOptions, key: DueKey): Promise<boolean> {
  const { postgres, snapshotInterval, stopping } = options
  try {
    const api = await openKeyedApi(options, key)
    const machines = await api.readOwnMachines()
    const prices = await renterPrices(marketOfKey(options, key), machines)
    const isKept = await transaction(postgres, async (client) => {
      const seconds = Math.max(snapshotInterval - sooner, 1)
      const values = [key.id, key.key_sealed, seconds]
      const { rowCount } = await client.query('claims/note_read', values)
      if (rowCount) {
        await noteMachines(client, key.id, machines)
        await noteShares(client, key.id, prices)
      }
      return rowCount === 1
    })
    if (isKept) await readEarnings(options, key, api)
    return true
  } catch (error) {
    if (stopping.aborted || !(error instanceof HostApiError)) throw error
    await noteFailure(options, key, error)
    return false
  }
}

async function readEarnings(options: ReadOptions, key: DueKey, api: HostApi): Promise<void> {
  const { postgres, clock, stopping, pauseMs = 5000 } = options
  const to = Math.floor(clock.now() / day) - 1
  const from = to - daysRead + 1
  const due = 'claims/due_earnings'
  const { rows } = await postgres.query<{ id: number }>(due, [key.id, machinesPerTurn])
  for (const { id: machine } of rows) {
    await pause(pauseMs, undefined, { signal: stopping })
    try {
      const days = await api.readEarnings({ machine, from, to })
      const values = [key.id, machine, from, to, JSON.stringify(days)]
      await postgres.query('claims/write_earnings', values)
    } catch (error) {
      if (stopping.aborted || !(error instanceof HostApiError)) throw error
      // The machines were shown, so the key is valid. It may lack the right to read earnings.
      const values = [key.id, machine, `Earnings cannot be read: ${error.message}`, error.retryAt ?? 0]
      await postgres.query('claims/note_earnings_failure', values)
      return
    }
  }
}

async function noteFailure(
  { postgres, snapshotInterval }: ReadOptions,
  { id, key_sealed }: DueKey,
  { failure, message, retryAt = 0 }: HostApiError,
): Promise<void> {
  const values = [id, key_sealed, message, failure === 'key', snapshotInterval, retryAt]
  await postgres.query('claims/note_failure', values)
}
