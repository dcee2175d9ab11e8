import type { AlertCondition } from '../../contract/alert-conditions.ts'

export type Condition<Kind extends AlertCondition['kind']> = Extract<AlertCondition, { kind: Kind }>

/** What a rule remembers of one thing that it watches. */
export interface Watched {
  /** The slots in a row that speak against the present state: how many, the first and the last of them. */
  streak?: number
  first?: number
  last?: number
  /** It fires: since when, and what was seen then. */
  since?: number
  value?: number | null | undefined
  limit?: number | null | undefined
  /** What it was compared with. */
  before?: number | undefined
  /** Whether its holder was told. */
  told?: boolean
  /** Since when a machine is idle; null: it was rented when it was seen last. */
  idle?: number | null
}

/** By what is watched: the id of a machine, or '' where a rule watches one thing only. */
export type RuleState = Record<string, Watched>

export interface Rule {
  account_id: number
  condition: AlertCondition
  /** Unix seconds. */
  silenced_until: number | null
  state: RuleState
}
