import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'

/** A pending change: a row of autopilot/claim. */
export interface Change {
  id: string
  account_id: number
  rule_id: number | null
  source: string | null
  machine_id: number
  gpu_name: string
  num_gpus: number
  kind: 'change' | 'hand' | 'undo'
  old_price: number
  new_price: number
  reason: string
  adapter: NonNullable<AutopilotDecision['adapter']>
  state: 'decided' | 'called' | 'answered'
  attempts: number
  is_expired: boolean
  webhook_url: string | null
  webhook_secret_sealed: Buffer | null
}

/** The price was certainly not set. After any other error the outcome is unknown. */
export class NotSet extends Error {}

/** The price was not set, and a later decision may set it. The rule goes on. */
export class NotNow extends NotSet {}

/** The outcome is unknown, and the change must not be repeated. */
export class NotKnown extends Error {}

/** A way to set prices in a marketplace. */
export interface Adapter {
  /** Sets the new price, and returns the answer. A repeated call has the id of the same change. */
  set(change: Change): Promise<string>
  /** The current price; undefined: it cannot be read. Throws NotSet when the machine does not exist. */
  read(change: Change): Promise<number | undefined>
  /** True if a change whose answer was lost may be repeated without knowing its outcome. */
  repeats: boolean
}

/** The adapters of a site, by their names in decisions. */
export type Adapters = Record<Change['adapter'], Adapter | undefined>
