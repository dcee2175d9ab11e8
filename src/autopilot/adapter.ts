import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'

/** A change on its way: a row of autopilot/claim. */
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

/** The price was certainly not set. Any other error leaves that open. */
export class NotSet extends Error {}

/** Nobody knows whether the price was set, and it must not be tried again. */
export class NotKnown extends Error {}

/** How prices get to a marketplace. */
export interface Adapter {
  /** Sets the new price, and returns what was answered. The same change may be set again: its id is the same. */
  set(change: Change): Promise<string>
  /** The price now; undefined: it cannot be read. Throws NotSet when the machine is not there. */
  read(change: Change): Promise<number | undefined>
  /** Whether a change whose answer was lost may be set again without knowing whether it was set. */
  repeats: boolean
}

/** Those of a site, by the way that a decision goes. */
export type Adapters = Record<Change['adapter'], Adapter | undefined>
