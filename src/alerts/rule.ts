import type { AlertCondition } from '../../contract/alert-conditions.ts'

export type Condition<Kind extends AlertCondition['kind']> = Extract<AlertCondition, { kind: Kind }>

/** The state of one watched subject. */
export interface Watched {
  /** Slots in a row that contradict the current state: their number, the first and the last of them. */
  streak?: number
  first?: number
  last?: number
  /** Set while the rule fires: the slot at which it began to fire, and the value at that slot. */
  since?: number
  value?: number | null | undefined
  limit?: number | null | undefined
  /** The earlier value that it was compared with. */
  before?: number | undefined
  /** True if its holder was notified. */
  told?: boolean
  /** The slot of the last alert about it, if the rule rests afterwards. */
  spoke?: number | undefined
  /** The time since which a machine is idle; null: it was rented when it was last on the market. */
  idle?: number | null
}

/** By subject: the id of a machine, or '' if a rule watches one subject only. */
export type RuleState = Record<string, Watched>

export interface Rule {
  account_id: number
  condition: AlertCondition
  /** Unix seconds. */
  silenced_until: number | null
  state: RuleState
}
