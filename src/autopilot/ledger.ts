import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { day } from '../../contract/durations.ts'
import { floorOf } from '../../estimates/autopilot.ts'
import type { AutopilotMoment } from '../../estimates/autopilot-moment.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import type { MachineMoment } from './read-moments.ts'

/** A decision that is not written yet. */
export interface NewDecision
  extends Pick<
    AutopilotDecision,
    'kind' | 'stage' | 'old_price' | 'new_price' | 'refusal' | 'reason' | 'adapter' | 'undoes' | 'rule_id'
  > {
  account_id: number
  created_by: number | null
  key_id: number | null
  rule_version: number | null
  state: 'noted' | 'decided'
  of: MachineMoment
  rails: AutopilotMoment['rails']
}

/** Slots after which a decision must not be called: its data would be older than two slots. */
const slotsToCall = 2

/** A decision that is in the ledger. */
export interface Written {
  id: string
  machine_id: number
}

/**
 * Writes decisions. Returns the decisions that were first on their machine and whose price the account may set. They are pending once the
 * transaction is committed.
 */
export async function writeDecisions(
  postgres: Session,
  market: string | null,
  decisions: readonly NewDecision[],
): Promise<Written[]> {
  if (decisions.length === 0) return []
  const rows = decisions.map(({ of: { machine, known }, rails, ...decision }) => ({
    ...decision,
    source: market,
    machine_id: machine.id,
    gpu_name: machine.gpu_name,
    num_gpus: machine.num_gpus,
    slot: known.slot,
    expires_at: known.slot + slotsToCall * known.interval,
    figures: figuresOf(known, rails),
  }))
  const query = 'autopilot/write'
  return (await postgres.query<Written>(query, [JSON.stringify(rows)])).rows
}

/** The figures that a decision is based on. Numbers of hosts are left out: over time they show which machines share a host. */
function figuresOf(
  { market, name_market, changes, ...known }: MachineMoment['known'],
  rails: AutopilotMoment['rails'],
) {
  const { slot, now, price, recommended, own_results, cost_floor, idle_since, left } = known
  return {
    slot,
    data_age: now - slot,
    price,
    recommended,
    own_results,
    cost_floor,
    idle_since,
    left,
    floor: floorOf({ rails, cost_floor }),
    ceiling: rails.ceiling,
    others: {
      machines: market.machines,
      gpus: market.asks.reduce((sum, { gpus }) => sum + gpus, 0),
    },
    others_of_name: { machines: name_market.machines },
    changes_in_24h: changes.filter((at) => now - at < day).length,
  }
}

export interface DecisionsAsked {
  account: number | null
  rule?: number | null
  ids?: readonly string[] | null
  /** Only decisions before this one. */
  before?: string | undefined
  limit: number
}

type DecisionRow = AutopilotDecision & { account_id: number; account: string }

export async function decisionsOf(
  postgres: Session,
  { account, rule = null, ids = null, before, limit }: DecisionsAsked,
): Promise<DecisionRow[]> {
  const query = 'autopilot/decisions'
  return (await postgres.query<DecisionRow>(query, [account, rule, ids, limit, before ?? null])).rows
}
