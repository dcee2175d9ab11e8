import { HostApiError } from '../../../collect/host-call.ts'
import { type KeyedApiOptions, type KeyOfClaim, openKeyedApi } from './keyed-api.ts'

interface Proven {
  account_id: number
  machine_id: number
  /** null: the first market. */
  source: string | null
}

/** Pause in seconds. A key that the marketplace refuses now is tried again after two pauses. */
const pauseSeconds = 300

/**
 * Verifies that the marketplace of a source shows a machine to the key of the account's claim, and records in the claim if it
 * does not. The recorded state may be a slot old. A market without such a key is not called. Throws HostApiError when the
 * marketplace cannot be reached.
 */
export async function proveNow(
  options: KeyedApiOptions,
  { account_id, machine_id, source }: Proven,
): Promise<void> {
  const { postgres } = options
  const query = 'claims/key_of_machine'
  const { rows } = await postgres.query<KeyOfClaim & { id: number }>(query, [account_id, machine_id, source])
  const [key] = rows
  if (!key) return
  try {
    const machines = await (await openKeyedApi(options, key)).readOwnMachines()
    if (machines.some(({ id }) => id === machine_id)) return
    const gone = 'UPDATE claim_machines SET is_shown = false WHERE key_id = $1 AND machine_id = $2'
    await postgres.query(gone, [key.id, machine_id])
  } catch (error) {
    if (!(error instanceof HostApiError) || error.failure !== 'key') throw error
    const values = [key.id, key.key_sealed, error.message, true, pauseSeconds, 0]
    await postgres.query('claims/note_failure', values)
  }
}
